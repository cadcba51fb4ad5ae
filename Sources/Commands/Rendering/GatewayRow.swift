internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import GatewayReports

/// One gateway as people see it: every text is cleaned.
struct GatewayRow: Hashable {
    let name: String

    /// Indicates whether it answers, in words and as it is.
    let state: String

    let liveness: Liveness?

    /// The time that its first path took to answer.
    let time: String

    /// The dialect that it speaks.
    let dialect: String

    /// The address to connect to first.
    let address: String
    let fingerprint: String

    /// Each with its emoji.
    let bots: [String]

    /// The remarks about it that people should see.
    let remarks: [String]

    /// In place of what is not known.
    private static let absent = "-"

    /// The most bots that are shown; `--format json` has all.
    private static let shownBots = 32

    /// The most remarks that are shown.
    private static let shownRemarks = 8

    init(_ gateway: Gateway) {
        self.name = DisplayText(gateway.name, limit: 64).text
        self.state = gateway.livenessText ?? Self.absent
        self.liveness = gateway.liveness
        self.time = gateway.roundTrip.map(TimeText.milliseconds) ?? Self.absent
        self.dialect = gateway.dialect?.rawValue ?? Self.absent
        self.address = Self.address(gateway.shownPath)
        self.fingerprint = gateway.fingerprint.map { DisplayText("\($0)", limit: 64).text } ?? Self.absent
        self.bots = Self.bots(gateway)
        let problems = gateway.problems.map { DisplayText($0, limit: 160).text }
        self.remarks = Array((gateway.flags.sorted().map(\.text) + problems).prefix(Self.shownRemarks))
    }

    private static func address(_ path: GatewayPath?) -> String {
        guard let path else { return absent }
        return path.outcome?.identity?.leaf == nil ? "\(path.endpoint)" : "\(path.endpoint) TLS"
    }

    private static func bots(_ gateway: Gateway) -> [String] {
        let shown = gateway.bots.prefix(shownBots).map { text($0) }
        let rest = gateway.bots.count - shown.count + gateway.botsLeftOut
        return rest > 0 ? shown + ["and \(rest) more"] : shown
    }

    /// `🤖 Jarvis`, and with what is not as usual: `🤖 Jarvis (busy)`.
    static func text(_ bot: Bot) -> String {
        let emoji = bot.emoji.map { "\(DisplayText($0, limit: 2)) " } ?? ""
        var notes: [String] = []
        if let status = bot.status, status != "online" { notes.append(DisplayText(status, limit: 32).text) }
        if bot.state != .discovered { notes.append(bot.state.rawValue) }
        let note = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
        return "\(emoji)\(DisplayText(bot.name, limit: 64))\(note)"
    }
}
