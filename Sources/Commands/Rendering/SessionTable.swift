internal import Console
internal import DNSSD
internal import Reports
internal import Scanning

/// The table of sessions for people; every text in it is cleaned.
enum SessionTable {
    private static let columns = [
        TextTable.Column("GATEWAY", minimum: 12),
        TextTable.Column("STATE", minimum: 12),
        TextTable.Column("ADDRESS", minimum: 15, rank: 1, keepsEnd: true),
        TextTable.Column("TIME", minimum: 8, rank: 2, keepsEnd: true),
        TextTable.Column("BOTS", minimum: 12, rank: 3),
    ]

    /// The text for an unknown value.
    private static let absent = "-"

    /// Returns the table, with the reason for its state below each row.
    static func lines(_ entries: [ShownSession], width: Int?, style: Style) -> [String] {
        let (titles, rows) = table(entries, width: width, isLive: false, style: style)
        return [titles] + rows.joined()
    }

    /// Returns the same as a picture of some height, in which no line is too long.
    static func picture(_ entries: [ShownSession], width: Int, height: Int, style: Style) -> [String] {
        let (titles, rows) = table(entries, width: width, isLive: true, style: style)
        return Screen.lines(rows, below: titles, height: height)
    }

    private static func table(
        _ entries: [ShownSession],
        width: Int?,
        isLive: Bool,
        style: Style
    ) -> (titles: String, rows: [[String]]) {
        guard !entries.isEmpty else { return ("Nothing is paired.", []) }
        let cells = entries.map { entry in
            [
                DisplayText(entry.name, limit: 64).text, entry.state.rawValue, entry.path ?? absent,
                entry.latency.map(TimeText.milliseconds) ?? absent, bots(entry),
            ]
        }
        let table = TextTable(columns: columns, rows: cells).lines(width: width, isLive: isLive) { row, column, text in
            column == 1 ? styled(text, entries[row].state, style) : text
        }
        let rows = zip(table.dropFirst(), entries).map { line, entry -> [String] in
            let lines = line.split(separator: "\n").map(String.init)
            guard let reason = reason(entry) else { return lines }
            return lines + WrappedText.lines(reason, width: width, isLive: isLive).map(style.dim)
        }
        return (style.bold(table[0]), rows)
    }

    /// Returns one change as a line such as `14:03:09 Home Gateway  connected  10.0.0.2:3000  🤖 Jarvis`.
    static func line(_ entry: ShownSession, time: String) -> String {
        let path = entry.path.map { "  \($0)" } ?? ""
        let reason = reason(entry).map { "  (\($0))" } ?? ""
        let bots = bots(entry)
        return "\(time) \(DisplayText(entry.name, limit: 64))  \(entry.state.rawValue)\(path)  \(bots)\(reason)"
    }

    /// Returns the lines about problems that keep the browser from seeing the network; none if there are no problems.
    static func trouble(_ condition: BackendCondition) -> [String] {
        var lines = condition.warnings.last.map { ["warning: \($0.message)"] } ?? []
        if case .unavailable(let error) = condition.status { lines.append(condition.line(error)) }
        return lines.map { DisplayText(sentence: $0).text }
    }

    private static func reason(_ entry: ShownSession) -> String? {
        entry.text.map { DisplayText(sentence: $0).text }
    }

    private static func bots(_ entry: ShownSession) -> String {
        let names = entry.bots.filter { !$0.isArchived }.map { bot in
            (bot.emoji.map { "\(DisplayText($0, limit: 2)) " } ?? "") + DisplayText(bot.name, limit: 64).text
        }
        return names.isEmpty ? absent : names.joined(separator: ", ")
    }

    private static func styled(_ text: String, _ state: ShownSession.State, _ style: Style) -> String {
        switch state {
        case .connected: style.green(text)
        case .connecting, .waiting: style.yellow(text)
        case .moved, .changedLeaf, .uncertified, .revoked, .refused, .sealed: style.bold(text)
        case .gone, .disconnected, .heldElsewhere: style.dim(text)
        }
    }
}
