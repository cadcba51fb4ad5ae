internal import Agent
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// The table of the states of gateways for people; every text in it is cleaned.
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

    /// Returns the table, with the reason for a state, and the command that helps against it, below its row.
    ///
    /// - Parameter now: The time now, which says for how long a gateway has been away.
    static func text(
        _ states: [StatusRow],
        at now: Timestamp = .now,
        width: Int?,
        style: Style = Style(isOn: false)
    ) -> String {
        guard !states.isEmpty else { return "" }
        let table = TextTable(columns: columns, rows: states.map(cells)).lines(width: width) { row, column, text in
            column == 1 ? styled(text, states[row].state, style) : text
        }
        let rows = zip(table.dropFirst(), states).flatMap { line, status -> [String] in
            guard let text = status.text(at: now) else { return [line] }
            let lines = WrappedText.lines(DisplayText(sentence: text).text, width: width)
            return [line] + lines.map(status.state == .gone ? style.red : style.dim)
        }
        return ([style.bold(table[0])] + rows).map { $0 + "\n" }.joined()
    }

    private static func cells(_ status: StatusRow) -> [String] {
        [
            DisplayText(status.name, limit: 64).text, status.word, status.since.map(TimeText.localDay) ?? absent,
            status.path ?? absent, status.holder ?? absent,
        ]
    }

    private static func styled(_ text: String, _ state: PairedState?, _ style: Style) -> String {
        switch state {
        case .connected: style.green(text)
        case .connecting, .waiting: style.yellow(text)
        case .moved, .changedLeaf, .uncertified, .revoked, .refused, .failed, .awaitsTrust: style.bold(text)
        case .gone: style.red(text)
        case .paired: text
        case nil: style.dim(text)
        }
    }
}

/// The state of one gateway as people see it.
struct StatusRow: Hashable, Sendable {
    let name: String

    /// The state of a paired gateway; `nil` if it is not paired.
    let state: PairedState?

    /// The word of one that is not paired.
    var unpaired = "not paired"

    let since: Timestamp?
    let path: String?

    /// The reason for the state, perhaps with the command that ends it.
    let reason: String?

    /// The command that helps against the state, or says more of it.
    var command: String?

    /// The program and the process that have its session; cleaned.
    let holder: String?

    /// The state in one word.
    var word: String { state?.rawValue ?? unpaired }

    /// Returns the reason and the command, and of a gateway that is away for how long; `nil` if there is nothing to say.
    fileprivate func text(at now: Timestamp) -> String? {
        let silence: String? =
            switch (state, since) {
            case (.gone, let since?): "it was connected last \(Notice.length(from: since, to: now)) ago"
            case (.gone, nil): "it does not answer"
            default: nil
            }
        let sentences = [silence, reason].compactMap(\.self)
        guard let command, reason?.contains("clawradar ") != true else {
            return sentences.isEmpty ? nil : sentences.joined(separator: "; ")
        }
        return sentences.isEmpty ? command : "\(sentences.joined(separator: "; ")): \(command)"
    }
}

extension StatusRow {
    /// Makes the row of a state as `PairedStatusReport` writes it.
    init(report: JSONValue) {
        let isReady = report["readiness"]?.string.map { $0 == "ready" } ?? true
        let readiness = isReady ? nil : report["readinessReason"]?.string.map { "not ready: \($0)" } ?? "not ready"
        self.init(
            name: report["name"]?.string ?? "",
            // A word of a later version is of a state that this one does not know.
            state: report["state"]?.string.flatMap(PairedState.init(rawValue:)) ?? .waiting,
            since: report["since"]?.string.flatMap(Timestamp.init),
            path: report["path"]?.string,
            reason: report["reason"]?.string ?? readiness,
            command: report["command"]?.string,
            holder: report["heldBy"].map { holder in
                "\(DisplayText(holder["program"]?.string ?? "", limit: 32)) \(holder["process"]?.int ?? 0)"
            }
        )
    }

    /// Makes the row of a gateway that is not paired, as `GatewayReport` writes it.
    init(unpaired report: JSONValue) {
        let row = GatewayRow(report: report)
        self.init(
            name: row.name,
            state: nil,
            unpaired: row.liveness == .answering || row.liveness == nil ? "not paired" : row.state,
            since: nil,
            path: row.address == GatewayRow.absent ? nil : row.address,
            reason: row.remarks.isEmpty ? nil : row.remarks.joined(separator: "; "),
            holder: nil
        )
    }
}
