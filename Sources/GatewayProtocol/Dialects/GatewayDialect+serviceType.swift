public import DNSSD

extension GatewayDialect {
    /// The type under which gateways of the dialect are found; `nil` for Clawline, whose address is typed in.
    public var serviceType: ServiceType? {
        switch self {
        case .optaplus: .openClaw
        case .openClaw: ServiceType(checkedName: "openclaw-gw", transport: .tcp)
        case .bridge: ServiceType(checkedName: "clawdbot-bridge", transport: .tcp)
        case .openAgents: ServiceType(checkedName: "openagents", transport: .tcp)
        case .clawline: nil
        }
    }
}
