internal import DNSSD
internal import GatewayProtocol
internal import PairedFacts
internal import PairingStore
internal import Reports

/// The table of the states of paired gateways for people; every text in it is cleaned.
enum StatusTable {
    private static let columns = [
        TextTable.Column("GATEWAY", minimum: 12),
        TextTable.Column("STATE", minimum: 12),
        TextTable.Column("SINCE", minimum: 16, rank: 2, keepsEnd: true),
        TextTable.Column("ADDRESS", minimum: 15, rank: 1, keepsEnd: true),
        TextTable.Column("HELD BY", minimum: 16, rank: 3, keepsEnd: true),
    ]

    /// The text for an unknown value.
    private static let absent = "-"

    /// Returns the table, with the reason for a state below its row.
    static func text(_ states: [StatusRow], width: Int?, style: Style = Style(isOn: false)) -> String {
        guard !states.isEmpty else { return "" }
        let table = TextTable(columns: columns, rows: states.map(cells)).lines(width: width) { row, column, text in
            column == 1 ? styled(text, states[row].state, style) : text
        }
        let rows = zip(table.dropFirst(), states).flatMap { line, status -> [String] in
            guard let reason = status.reason else { return [line] }
            return [line] + WrappedText.lines(DisplayText(reason, limit: 512).text, width: width).map(style.dim)
        }
        return ([style.bold(table[0])] + rows).map { $0 + "\n" }.joined()
    }

    private static func cells(_ status: StatusRow) -> [String] {
        [
            DisplayText(status.name, limit: 64).text, status.state.rawValue,
            status.since.map(TimeText.localDay) ?? absent, status.path ?? absent, status.holder ?? absent,
        ]
    }

    private static func styled(_ text: String, _ state: PairedState, _ style: Style) -> String {
        switch state {
        case .connected: style.green(text)
        case .connecting, .waiting: style.yellow(text)
        case .moved, .changedLeaf, .uncertified, .revoked, .refused, .failed, .awaitsTrust: style.bold(text)
        case .gone: style.dim(text)
        case .paired: text
        }
    }
}

/// The state of one paired gateway as people see it.
struct StatusRow: Hashable, Sendable {
    let name: String
    let state: PairedState
    let since: Timestamp?
    let path: String?

    /// The reason for the state, with the command that ends it.
    let reason: String?

    /// The program and the process that have its session; cleaned.
    let holder: String?
}

extension StatusRow {
    /// Makes the row of a state as `PairedStatusReport` writes it.
    init(report: JSONValue) {
        name = report["name"]?.string ?? ""
        // A word of a later version is of a state that this one does not know.
        state = report["state"]?.string.flatMap(PairedState.init(rawValue:)) ?? .waiting
        since = report["since"]?.string.flatMap(Timestamp.init)
        path = report["path"]?.string
        let isReady = report["readiness"]?.string.map { $0 == "ready" } ?? true
        let readiness = isReady ? nil : report["readinessReason"]?.string.map { "not ready: \($0)" } ?? "not ready"
        reason = report["reason"]?.string ?? readiness
        holder = report["heldBy"].map { holder in
            "\(DisplayText(holder["program"]?.string ?? "", limit: 32)) \(holder["process"]?.int ?? 0)"
        }
    }
}
