internal import GatewayProtocol

/// The dialects in which this library pairs.
enum PairingDialects {
    static let all: [GatewayDialect: any PairingDialect] = [
        .optaplus: OptaplusPairing(), .openClaw: OpenClawPairing(), .bridge: BridgePairing(),
        .openAgents: OpenAgentsPairing(), .clawline: ClawlinePairing(),
    ]
}
