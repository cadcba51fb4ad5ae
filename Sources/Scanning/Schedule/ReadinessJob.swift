internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// One question to an OpenClaw gateway whether it can do its work.
struct ReadinessJob: Hashable, Sendable {
    let id: Int
    let path: GatewayProbePath
    let connecting: Duration?

    var endpoint: Endpoint { path.endpoint }

    /// The check that is run.
    var check: ReadinessCheck { ReadinessCheck(path: path, connecting: connecting) }
}
