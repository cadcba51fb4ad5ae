/// A verdict on what an endpoint is, based on its answers.
package enum GatewayVerdict: Hashable, Sendable {
    /// An OptaPlus gateway, with its bots.
    case optaplus(DiscoverPayload)

    /// An OpenClaw gateway.
    case openClaw(OpenClawIdentification)

    /// A Clawdbot bridge.
    case bridge

    /// An OpenAgents program.
    case openAgents

    /// A Clawline provider; the version of its protocol, where the probe asked for it.
    case clawline(protocolVersion: Int?)

    /// Something that answers, and is not a known kind of gateway.
    case other(ForeignAnswer)

    /// No answer, for this reason.
    case nothing(NoAnswer)

    /// The dialect that the gateway speaks; `nil` when no gateway was found.
    package var dialect: GatewayDialect? {
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

extension GatewayVerdict {
    /// A summary of the verdict in a few words for people. Names in it are untrusted and not cleaned.
    package var summary: String {
        switch self {
        case .optaplus(let payload):
            "gateway\(payload.name.map { " \u{201C}\($0)\u{201D}" } ?? "") with \(Self.count(payload.bots.count))"
        case .openClaw: "OpenClaw gateway"
        case .bridge: "Clawdbot bridge"
        case .openAgents: "OpenAgents"
        case .clawline(let version?) where version != ClawlineMessage.protocolVersion:
            "Clawline of protocol \(version), update required: this program speaks \(ClawlineMessage.protocolVersion)"
        case .clawline: "Clawline"
        case .other(let answer): answer.summary
        case .nothing(let reason): "\(reason)"
        }
    }

    private static func count(_ bots: Int) -> String { bots == 1 ? "1 bot" : "\(bots) bots" }
}
