internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// One question whether a gateway answers.
struct CheckJob: Hashable, Sendable {
    let endpoint: Endpoint

    /// The number of this question among those to the endpoint: the silence of an earlier one says nothing of a later
    /// one.
    var number: Int
    let path: GatewayProbePath
    let dialect: GatewayDialect
    let resource: String
    let signature: HTTPSignature?
    let connecting: Duration?

    /// Indicates whether the connection is kept, or one that is kept is used.
    var isHeld: Bool

    /// The liveness check that asks the question.
    var livenessCheck: LivenessCheck {
        LivenessCheck(
            path: path,
            dialect: dialect,
            resource: resource,
            signature: signature,
            connecting: connecting
        )
    }
}
