public import DNSSD

/// The protocols that gateways speak.
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

    /// Reads the name of a dialect; `nil` when no dialect has this name. The earlier name of ``optaplus``, `design`, is
    /// accepted too.
    public init?(name: String) {
        if name == "design" {
            self = .optaplus
        } else {
            self.init(rawValue: name)
        }
    }
}

extension GatewayDialect {
    /// Indicates whether it has a question for the fingerprint of a gateway.
    package var tellsFingerprint: Bool {
        switch self {
        case .optaplus: true
        case .openClaw, .bridge, .openAgents, .clawline: false
        }
    }

    /// The service type under which gateways of the dialect are found; `nil` for Clawline, whose address the user types
    /// in.
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
