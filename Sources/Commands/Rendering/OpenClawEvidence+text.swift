internal import GatewayProtocol

extension OpenClawIdentification.Evidence {
    /// The evidence in words.
    var text: String {
        switch self {
        case .challenge: "it sent a connect.challenge of its own accord"
        case .handshakeRefusal: "it wants connect before anything else"
        case .health: "it answers GET /healthz as OpenClaw does"
        }
    }
}
