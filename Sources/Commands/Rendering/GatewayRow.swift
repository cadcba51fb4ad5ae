internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// One gateway as people see it: every text is cleaned.
struct GatewayRow: Hashable {
    let name: String

    /// The liveness in words.
    let state: String

    let liveness: Liveness?

    /// The round-trip time on its first path.
    let time: String

    /// The dialect that it speaks.
    let dialect: String

    /// The address to connect to first.
    let address: String
    let fingerprint: String

    /// The bots, each with its emoji.
    let bots: [String]

    /// The flags and problems of the gateway, for people.
    let remarks: [String]

    /// The text for an unknown value.
    static let absent = "-"

    /// The maximum number of bots that are listed. The map itself keeps at most as many, apart from paired ones.
    static let shownBots = 32

    /// The maximum number of remarks that are shown.
    static let shownRemarks = 8

    private static func address(_ path: GatewayPath?) -> String {
        guard let path else { return absent }
        return path.outcome?.identity?.leaf == nil ? "\(path.endpoint)" : "\(path.endpoint) TLS"
    }

    private static func bots(_ gateway: Gateway, hasLooked: Bool) -> [String] {
        let shown = gateway.bots.prefix(shownBots).map { text($0, at: gateway, hasLooked: hasLooked) }
        let rest = gateway.bots.count - shown.count + gateway.botsLeftOut
        return rest > 0 ? shown + ["and \(rest) more"] : shown
    }

    /// Returns `🤖 Jarvis`, or with an unusual status or state `🤖 Jarvis (busy)`. A paired bot has the word of its gateway,
    /// once that has been looked for.
    static func text(_ bot: Bot, at gateway: Gateway, hasLooked: Bool = false) -> String {
        let isJudged = bot.isPaired && (hasLooked || gateway.liveness != nil)
        let word = isJudged ? PairedState(gateway, bot: bot.state) : nil
        return text(name: bot.name, emoji: bot.emoji, status: bot.status, state: bot.state, word)
    }

    /// - Parameter word: The word of its gateway, if it is paired and that has been looked for.
    static func text(
        name: String,
        emoji: String?,
        status: String?,
        state: BotState,
        _ word: PairedState?
    ) -> String {
        let emoji = emoji.map { "\(DisplayText($0, limit: 2)) " } ?? ""
        var notes: [String] = []
        if let status, status != "online" { notes.append(DisplayText(status, limit: 32).text) }
        if let word {
            notes.append(word.rawValue)
        } else if state != .discovered {
            notes.append(state.rawValue)
        }
        let note = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
        return "\(emoji)\(DisplayText(name, limit: 64))\(note)"
    }
}

extension GatewayRow {
    /// - Parameters:
    ///   - gateway: The gateway.
    ///   - hasLooked: Indicates whether the look for gateways is over: a paired one that has not answered by then is away.
    init(_ gateway: Gateway, hasLooked: Bool = false) {
        self.name = DisplayText(gateway.name, limit: 64).text
        self.state = gateway.stateText ?? (gateway.isPaired && hasLooked ? PairedState.gone.rawValue : Self.absent)
        self.liveness = gateway.liveness
        self.time = gateway.roundTrip.map(TimeText.milliseconds) ?? Self.absent
        self.dialect = gateway.dialect?.rawValue ?? Self.absent
        self.address = Self.address(gateway.shownPath)
        self.fingerprint = gateway.fingerprint.map { DisplayText("\($0)", limit: 64).text } ?? Self.absent
        self.bots = Self.bots(gateway, hasLooked: hasLooked)
        let problems = gateway.problems.map { DisplayText($0, limit: 160).text }
        let found = gateway.foundRemark.map { DisplayText($0.description, limit: 160).text }
        let remarks =
            [gateway.readinessRemark, found].compactMap(\.self) + gateway.flags.sorted().map(\.text) + problems
        self.remarks = Array(remarks.prefix(Self.shownRemarks))
    }
}
