internal import Console
internal import DNSSD
internal import Pairing
internal import Reports

/// A diagnosis as text for people; cleaned.
enum DiagnosisText {
    private static let columns = [
        TextTable.Column("WAY", minimum: 15, keepsEnd: true),
        TextTable.Column("KNOWN FROM", minimum: 10, rank: 1),
        TextTable.Column("TLS", minimum: 3),
        TextTable.Column("ROUND TRIP", minimum: 10, keepsEnd: true),
    ]

    /// Returns the lines: for each cause its sentence and its command, or the ways of a gateway that can be used.
    ///
    /// - Parameter width: The width of the terminal in cells; `nil` if nothing needs to be cut.
    static func text(_ diagnosis: DiagnosisReport, width: Int?) -> String {
        let findings = diagnosis.findings
        let lines = findings.isEmpty ? healthy(diagnosis, width) : findings.flatMap { Self.lines($0, width) }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func lines(_ finding: Finding, _ width: Int?) -> [String] {
        let place =
            switch finding.host {
            case .here: ""
            case .gateway: "(on the gateway's host)"
            case .admin: "(on a device that is an admin of it)"
            }
        // The command is in one piece and on a line of its own, so that it can be copied.
        let command = "  \(finding.command)"
        let whole = place.isEmpty ? command : "\(command)   \(place)"
        let fits = width.map { DisplayWidth.of(whole) <= $0 } ?? true
        let last = fits || place.isEmpty ? [whole] : [command, "  \(place)"]
        return wrapped(finding.sentence, width) + last
    }

    private static func wrapped(_ text: String, _ width: Int?) -> [String] {
        WrappedText.lines(text, first: "", width: width)
    }

    private static func healthy(_ diagnosis: DiagnosisReport, _ width: Int?) -> [String] {
        let rows = diagnosis.places.filter(\.isAlive).map { way in
            [
                way.endpoint, way.sources.joined(separator: ", "), way.isTLS == true ? "yes" : "no",
                way.roundTrip.map(TimeText.milliseconds) ?? "-",
            ]
        }
        let isConnected = diagnosis.state == PairedState.connected.rawValue
        let state = diagnosis.state.map { _ in "it is \(isConnected ? "connected" : "paired") and answers" }
        var lines = wrapped("\(diagnosis.word ?? "It") can be used: \(state ?? "it answers").", width)
        if !rows.isEmpty { lines += TextTable(columns: columns, rows: rows).lines(width: width) }
        lines += diagnosis.notes.flatMap { wrapped("note: \($0)", width) }
        if let next = diagnosis.next { lines += wrapped("It is not paired yet: \(next)", width) }
        return lines
    }
}
