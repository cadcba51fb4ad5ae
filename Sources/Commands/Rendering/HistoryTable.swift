internal import Agent
internal import Console
internal import DNSSD
internal import Reports

/// The tables of a history for people; every text in them is cleaned.
enum HistoryTable {
    private static let gatewayColumns = [
        TextTable.Column("GATEWAY", minimum: 8),
        TextTable.Column("UPTIME", minimum: 8),
        TextTable.Column("OUTAGES", minimum: 7),
        TextTable.Column("WATCHED SINCE", minimum: 16, rank: 1, keepsEnd: true),
        TextTable.Column("NUMBER", minimum: 8, rank: 2),
    ]

    private static let columns = [
        TextTable.Column("FROM", minimum: 16, keepsEnd: true),
        TextTable.Column("LASTED", minimum: 6, keepsEnd: true),
        TextTable.Column("GATEWAY", minimum: 8),
        TextTable.Column("STATE", minimum: 7),
        TextTable.Column("WAY", minimum: 8, rank: 1),
        TextTable.Column("WHY", minimum: 16, isProse: true),
    ]

    /// Returns a table of the gateways, each with a bar, and, below it, one of what has happened.
    ///
    /// - Parameters:
    ///   - width: The width of the terminal in cells; `nil` if nothing needs to be cut.
    ///   - style: The style of the bars.
    static func text(_ history: GatewayHistory, width: Int?, style: HistoryBar.Style = .plain) -> String {
        let gateways = history.gateways.map { gateway in
            [
                cleaned(gateway.name), history.uptime(of: gateway).map(percent) ?? "-",
                "\(history.outages.count { $0.key == gateway.key })", TimeText.localDay(gateway.since),
                String(cleaned(gateway.key).prefix(8)),
            ]
        }
        let events = events(history)
        let bar = HistoryBar(history, width: width, style: style)
        var tables: [[String]] = []
        // Of one that is not watched any more there are only events.
        guard !gateways.isEmpty || !events.isEmpty else { return "No gateway is watched yet.\n" }
        if !gateways.isEmpty {
            var lines = TextTable(columns: gatewayColumns, rows: gateways).lines(width: width)
            for (number, gateway) in history.gateways.enumerated() { lines[number + 1] += "\n" + bar.line(of: gateway) }
            tables.append(lines + bar.legend)
        }
        if !events.isEmpty { tables.append(TextTable(columns: columns, rows: events).lines(width: width)) }
        let lines = tables.joined(separator: [""])
        return lines.map { $0 + "\n" }.joined()
    }

    private static func events(_ history: GatewayHistory) -> [[String]] {
        let names = Dictionary(history.gateways.map { ($0.key, $0.name) }) { first, _ in first }
        let outages = history.outages.map { outage in
            let lasted = outage.ended.map { Notice.length(from: outage.began, to: $0) } ?? "lasts"
            let ways = outage.ways.isEmpty ? "-" : outage.ways.map(\.rawValue).joined(separator: ", ")
            return (outage.began, [lasted, cleaned(outage.name), "gone", ways, sentence(outage.reason ?? "no answer")])
        }
        let notReady = history.notReady.map { time in
            let lasted = time.ended.map { Notice.length(from: time.began, to: $0) } ?? "lasts"
            return (time.began, [lasted, cleaned(time.name), "not ready", "-", sentence(time.reason ?? "-")])
        }
        let unknown = history.unknown.map { unknown in
            let name = unknown.key.map { names[$0] ?? $0 } ?? "all"
            let lasted = Notice.length(from: unknown.began, to: unknown.ended)
            return (unknown.began, [lasted, cleaned(name), "unknown", "-", sentence(unknown.reason)])
        }
        let transitions = history.transitions.map { item in
            let state = item.kind.rawValue.replacing("-", with: " ")
            return (item.time, ["-", cleaned(item.name), state, item.way?.rawValue ?? "-", "-"])
        }
        return (outages + notReady + transitions + unknown).sorted { $0.0 < $1.0 }.map {
            [TimeText.localDay($0.0)] + $0.1
        }
    }

    /// Returns a share as a percentage that is rounded down, so that what was down is never shown as 100 %.
    private static func percent(_ share: Double) -> String {
        let hundredths = Int((share * 10_000).rounded(.down))
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) %"
    }

    private static func sentence(_ text: String) -> String { DisplayText(sentence: text).text }

    private static func cleaned(_ text: String) -> String { DisplayText(text, limit: 200).text }
}
