internal import Console
internal import Pairing
internal import Scanning

/// The table of all bots for people; every text in it is cleaned.
enum BotTable {
    private static let columns = [
        TextTable.Column("BOT", minimum: 8),
        TextTable.Column("GATEWAY", minimum: 12, rank: 1),
        TextTable.Column("STATE", minimum: 10),
        TextTable.Column("TRUST", minimum: 9, rank: 2),
        TextTable.Column("ADDRESS", minimum: 15, rank: 3, keepsEnd: true),
        TextTable.Column("TIME", minimum: 8, rank: 4, keepsEnd: true),
        TextTable.Column("LAST SEEN", minimum: 16, rank: 2, keepsEnd: true),
    ]

    /// Returns the table.
    ///
    /// - Parameter width: The width of the terminal in cells; `nil` if nothing needs to be cut.
    static func text(_ bots: [BotTableRow], width: Int?, style: Style = Style(isOn: false)) -> String {
        guard !bots.isEmpty else { return "" }
        let table = TextTable(columns: columns, rows: bots.map(\.cells)).lines(width: width) { row, column, text in
            column == 2 ? styled(text, bots[row], style) : text
        }
        return ([style.bold(table[0])] + table.dropFirst()).map { $0 + "\n" }.joined()
    }

    private static func styled(_ text: String, _ row: BotTableRow, _ style: Style) -> String {
        if row.state?.needsUser == true { return style.bold(text) }
        return switch row.botState {
        case .connected: style.green(text)
        case .pairing, .connecting: style.yellow(text)
        case .discovered, .disconnected: style.dim(text)
        case .moved, .changedLeaf: style.bold(text)
        case .paired, .error, .uncertified, .waiting, .refused, .failed: text
        }
    }
}
