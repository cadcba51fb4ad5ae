internal import DNSSD
internal import GatewayProtocol
internal import Gateways

/// One question whether a gateway answers.
struct CheckJob: Hashable, Sendable {
    let endpoint: Endpoint

    /// Which of the endpoint's questions it is: the silence of an earlier one says nothing of a later one.
    var number: Int
    let path: GatewayProbePath
    let dialect: GatewayDialect
    let resource: String
    let signature: HTTPSignature?
    let connecting: Duration?

    /// Whether the connection is kept, or one that is kept is used.
    var isHeld: Bool

    /// What asks it.
    var pulse: GatewayPulse {
        GatewayPulse(
            path: path,
            dialect: dialect,
            resource: resource,
            signature: signature,
            connecting: connecting
        )
    }
}
