/// The ways in which gateways speak.
public enum GatewayDialect: String, Hashable, Sendable, CaseIterable {
    /// The OptaPlus protocol, this project's own: `gateway.discover` over WebSocket.
    case optaplus

    /// Released OpenClaw gateways, protocols 3 and 4.
    case openClaw = "openclaw"

    /// The Clawdbot bridge of January 2026: lines of JSON over TCP.
    case bridge

    /// The OpenAgents desktop program.
    case openAgents = "openagents"

    /// The Clawline provider.
    case clawline

    /// Reads the name of a dialect; `nil` when there is none of it. The earlier name of ``optaplus``, `design`, is read too.
    public init?(name: String) {
        if name == "design" {
            self = .optaplus
        } else {
            self.init(rawValue: name)
        }
    }
}
