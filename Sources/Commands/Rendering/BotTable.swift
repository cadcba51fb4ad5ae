internal import Agent
internal import Constellation
internal import DNSSD
internal import PairedFacts
internal import PairingStore
internal import Reports

/// The table of all bots for people; every text in it is cleaned.
enum BotTable {
    private static let columns = [
        TextTable.Column("BOT", minimum: 10),
        TextTable.Column("GATEWAY", minimum: 12, rank: 1),
        TextTable.Column("STATE", minimum: 10),
        TextTable.Column("TRUST", minimum: 9, rank: 2),
        TextTable.Column("PATH", minimum: 15, rank: 3, keepsEnd: true),
        TextTable.Column("LATENCY", minimum: 8, rank: 4),
        TextTable.Column("LAST SEEN", minimum: 9, rank: 2),
    ]

    /// The text for an unknown value.
    private static let absent = "-"

    /// Returns the table.
    ///
    /// - Parameter width: The width of the terminal in cells; `nil` if nothing needs to be cut.
    static func text(_ bots: [BotAtGateway], width: Int?, style: Style = Style(isOn: false)) -> String {
        guard !bots.isEmpty else { return "" }
        let table = TextTable(columns: columns, rows: bots.map(cells)).lines(width: width) { row, column, text in
            column == 2 ? styled(text, bots[row], style) : text
        }
        return ([style.bold(table[0])] + table.dropFirst()).map { $0 + "\n" }.joined()
    }

    private static func cells(_ placed: BotAtGateway) -> [String] {
        let bot = placed.bot
        let isHere = placed.gateway.liveness == .answering
        return [
            (bot.emoji.map { "\(DisplayText($0, limit: 2)) " } ?? "") + DisplayText(bot.name, limit: 64).text,
            DisplayText(placed.gateway.name, limit: 64).text, placed.stateText,
            bot.isPaired ? placed.pairing.map { TrustText.text($0.trust) } ?? absent : absent,
            placed.gateway.shownPath.map { "\($0.endpoint)" } ?? absent,
            placed.gateway.roundTrip.map(TimeText.milliseconds) ?? absent,
            isHere ? "now" : placed.lastSeen.map(TimeText.localDay) ?? absent,
        ]
    }

    private static func styled(_ text: String, _ placed: BotAtGateway, _ style: Style) -> String {
        if placed.state?.needsUser == true { return style.bold(text) }
        return switch placed.bot.state {
        case .connected: style.green(text)
        case .pairing, .connecting: style.yellow(text)
        case .discovered, .disconnected: style.dim(text)
        case .paired, .error: text
        }
    }
}

extension BotAtGateway {
    /// The state of its paired gateway; `nil` if it is not paired.
    var state: PairedState? { bot.isPaired ? PairedState(gateway, bot: bot.state) : nil }

    /// The state in one word.
    var stateText: String { state?.rawValue ?? bot.state.rawValue }
}
