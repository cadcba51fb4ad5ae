extension GatewayVerdict {
    /// A summary of the verdict in a few words for people. Names in it are not cleaned.
    public var summary: String {
        switch self {
        case .optaplus(let payload):
            "gateway\(payload.name.map { " \u{201C}\($0)\u{201D}" } ?? "") with \(Self.count(payload.bots.count))"
        case .openClaw: "OpenClaw gateway"
        case .bridge: "Clawdbot bridge"
        case .openAgents: "OpenAgents"
        case .clawline: "Clawline"
        case .other(let answer): answer.summary
        case .nothing(let reason): "\(reason)"
        }
    }

    private static func count(_ bots: Int) -> String { bots == 1 ? "1 bot" : "\(bots) bots" }
}
