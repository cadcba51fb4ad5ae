internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Reports

/// A gateway probe as text for people: its steps, and its result.
enum ProbeTable {
    private static let columns = [
        TextTable.Column("STEP", minimum: 9),
        TextTable.Column("WHERE", minimum: 15, rank: 1, keepsEnd: true),
        TextTable.Column("TIME", minimum: 8, keepsEnd: true),
        TextTable.Column("ASKED", minimum: 10, rank: 2),
        TextTable.Column("RESULT", minimum: 12, isProse: true),
    ]

    /// The maximum number of bots that are shown; `--format json` has all of them.
    private static let shownBots = 32

    /// Returns the lines.
    ///
    /// - Parameter width: The width of the terminal in cells; `nil` if nothing needs to be cut.
    static func text(_ report: GatewayProbeReport, width: Int?) -> String {
        let rows = report.steps.map { step in
            [
                step.kind.rawValue, "\(step.endpoint)", TimeText.milliseconds(step.elapsed), step.question,
                step.result.text,
            ]
        }
        var lines = rows.isEmpty ? [] : TextTable(columns: columns, rows: rows).lines(width: width) + [""]
        lines += verdict(report).flatMap { WrappedText.lines($0, indent: "    ", first: "", width: width) }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func verdict(_ report: GatewayProbeReport) -> [String] {
        var lines = ["\(DisplayText(report.verdict.summary, limit: 160)), in \(TimeText.milliseconds(report.elapsed))"]
        switch report.verdict {
        case .optaplus(let payload):
            if let fingerprint = payload.fingerprint {
                lines.append("fingerprint: \(DisplayText("\(fingerprint)", limit: 128))")
            }
            if let required = payload.pairingRequired { lines.append("pairing required: \(required ? "yes" : "no")") }
            lines += payload.bots.prefix(shownBots).map(bot)
            let rest = payload.bots.count - shownBots
            if rest > 0 { lines.append("  and \(rest) more") }
        case .openClaw(let gateway):
            lines.append("known by this: \(gateway.evidence.text)")
        case .clawline(let version):
            if let version { lines.append("protocol \(version)") }
        case .other(let answer):
            if let line = answer.firstLine { lines.append("it said: \(line)") }
        case .bridge, .openAgents, .nothing:
            break
        }
        if let leaf = report.path?.leaf { lines.append("certificate: sha256 \(leaf)") }
        return lines
    }

    private static func bot(_ bot: BotDescription) -> String {
        let emoji = bot.emoji.map { "\(DisplayText($0, limit: 2)) " } ?? ""
        let status = bot.status.map { ", \(DisplayText($0, limit: 32))" } ?? ""
        return "  \(emoji)\(DisplayText(bot.name, limit: 64)) (\(DisplayText(bot.id.text, limit: 64))\(status))"
    }
}

extension OpenClawIdentification.Evidence {
    /// The evidence in words.
    var text: String {
        switch self {
        case .challenge: "it sent a connect.challenge of its own accord"
        case .handshakeRefusal: "it wants connect before anything else"
        case .health: "it answers GET /healthz as OpenClaw does"
        }
    }
}
