internal import DNSSD
internal import GatewayProtocol
internal import Gateways

/// One question whether a gateway answers.
struct CheckJob: Hashable, Sendable {
    let target: Int

    /// Which of the target's checks it belongs to: the silence of an earlier one says nothing of a later one.
    let number: Int
    let path: GatewayProbePath
    let dialect: GatewayDialect
    let resource: String

    /// Whether the connection is kept, or one that is kept is used.
    let isHeld: Bool

    var endpoint: Endpoint { path.endpoint }
}
