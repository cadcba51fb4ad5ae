/// The ways in which gateways speak.
public enum GatewayDialect: String, Hashable, Sendable, CaseIterable {
    /// This project's contract: `gateway.discover` over WebSocket.
    case optaplus = "design"

    /// Released OpenClaw gateways, protocols 3 and 4.
    case openClaw = "openclaw"

    /// The Clawdbot bridge of January 2026: lines of JSON over TCP.
    case bridge

    /// The OpenAgents desktop program.
    case openAgents = "openagents"

    /// The Clawline provider.
    case clawline
}
