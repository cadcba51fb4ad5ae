/// A verdict on what is behind an endpoint, by what it answered.
public enum GatewayVerdict: Hashable, Sendable {
    /// An OptaPlus gateway, with its bots.
    case optaplus(DiscoverPayload)

    /// An OpenClaw gateway.
    case openClaw(OpenClawIdentification)

    /// A Clawdbot bridge.
    case bridge

    /// An OpenAgents program.
    case openAgents

    /// A Clawline provider; the version of its protocol where it was asked for.
    case clawline(protocolVersion: Int?)

    /// Something that answers, and is no gateway that we know.
    case other(ForeignAnswer)

    /// Nothing that answers.
    case nothing(NoAnswer)

    /// The dialect that the gateway speaks; `nil` when no gateway was found.
    public var dialect: GatewayDialect? {
        switch self {
        case .optaplus: .optaplus
        case .openClaw: .openClaw
        case .bridge: .bridge
        case .openAgents: .openAgents
        case .clawline: .clawline
        case .other, .nothing: nil
        }
    }
}
