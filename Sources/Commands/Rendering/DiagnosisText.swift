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
    static func text(_ diagnosis: Diagnosis, width: Int?) -> String {
        let lines =
            diagnosis.isHealthy ? healthy(diagnosis, width) : diagnosis.findings.flatMap { Self.lines($0, width) }
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

    private static func healthy(_ diagnosis: Diagnosis, _ width: Int?) -> [String] {
        let facts = diagnosis.facts
        let rows = facts.ways.map { way -> [String] in
            var (isTLS, time) = ("no", "-")
            if case .gateway(_, let hasTLS, let roundTrip) = way.answer {
                (isTLS, time) = (hasTLS ? "yes" : "no", roundTrip.map(TimeText.milliseconds) ?? "-")
            }
            return [
                way.endpoint.description, way.sources.map(\.rawValue).sorted().joined(separator: ", "), isTLS, time,
            ]
        }
        let state = facts.pairing.map { "it is \($0.state == .connected ? "connected" : "paired") and answers" }
        var lines = wrapped("\(facts.word ?? "It") can be used: \(state ?? "it answers").", width)
        if !rows.isEmpty { lines += TextTable(columns: columns, rows: rows).lines(width: width) }
        lines += diagnosis.notes.flatMap { wrapped("note: \($0)", width) }
        if let next = diagnosis.next { lines += wrapped("It is not paired yet: \(next)", width) }
        return lines
    }
}
