internal import GatewayProtocol

/// The parts of each dialect that are HTTP.
extension GatewayDialect {
    /// Indicates whether the dialect is WebSocket; otherwise it is lines over TCP.
    var isWebSocket: Bool { self != .bridge }

    /// The path that is upgraded to WebSocket.
    var webSocketPath: String { self == .clawline ? "/ws" : "/" }

    /// Returns whether an upgrade is accepted on a path: OpenClaw gateways take any.
    func upgrades(on path: String) -> Bool { self == .openClaw || path == webSocketPath }

    /// The body of the answer to `GET` of a path; `nil` when there is nothing there.
    func page(_ path: String) -> [UInt8]? {
        switch (self, path) {
        case (.openClaw, "/healthz"): HealthReply.openClaw.encoded
        case (.clawline, "/version"):
            HealthReply.clawline(protocolVersion: ClawlineMessage.protocolVersion).encoded
        default: nil
        }
    }
}
