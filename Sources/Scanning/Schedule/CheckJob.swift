internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// One liveness check of a gateway.
struct CheckJob: Hashable, Sendable {
    let endpoint: Endpoint

    /// The number of this check among those of the endpoint: silence on an earlier one says nothing about a later one.
    var number: Int
    let path: GatewayProbePath
    let dialect: GatewayDialect
    let signature: HTTPSignature?
    let connecting: Duration?

    /// Indicates whether a held connection is used, or the connection is held from now on.
    var isHeld: Bool

    /// The time for which it is held; `nil` for as long as possible.
    var lifetime: Duration?

    /// The liveness check that is run.
    var livenessCheck: LivenessCheck {
        var check = LivenessCheck(
            path: path,
            dialect: dialect,
            signature: signature,
            connecting: connecting
        )
        if let lifetime { check.lifetime = lifetime }
        return check
    }
}

/// One question to an OpenClaw gateway whether it can do its work.
struct ReadinessJob: Hashable, Sendable {
    let id: Int
    let path: GatewayProbePath
    let connecting: Duration?

    var endpoint: Endpoint { path.endpoint }

    /// The check that is run.
    var check: ReadinessCheck { ReadinessCheck(path: path, connecting: connecting) }
}
