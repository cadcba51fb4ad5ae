internal import GatewayProtocol

/// The parts of each dialect that use HTTP.
extension GatewayDialect {
    /// Indicates whether the dialect uses WebSocket; otherwise it uses lines over TCP.
    var isWebSocket: Bool { self != .bridge }

    /// Indicates whether a gateway pings the devices that have a session.
    var hasPings: Bool { self == .clawline || self == .bridge }

    /// The path that is upgraded to WebSocket.
    var webSocketPath: String { self == .clawline ? "/ws" : "/" }

    /// Returns whether an upgrade is accepted on a path: OpenClaw gateways take any.
    func upgrades(on path: String) -> Bool { self == .openClaw || path == webSocketPath }

    /// Returns the body of the response to a `GET` of a path; `nil` when there is no such page.
    func page(_ path: String, misbehaving: Misbehaviour? = nil) -> [UInt8]? {
        switch (self, path) {
        case (.openClaw, "/healthz"): HealthReply.openClaw.encoded
        case (.clawline, "/version"):
            HealthReply.clawline(protocolVersion: misbehaving == .otherVersion ? 2 : 1).encoded
        default: nil
        }
    }
}
