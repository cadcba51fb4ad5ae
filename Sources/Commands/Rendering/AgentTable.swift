internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Reports
internal import SystemPackage

/// The table of the parts of an agent for people; every text in it is cleaned.
enum AgentTable {
    private static let columns = [
        TextTable.Column("PART", minimum: 8),
        TextTable.Column("STATE", minimum: 8),
        TextTable.Column("SINCE", minimum: 16, rank: 1, keepsEnd: true),
        TextTable.Column("WHY", minimum: 12, isProse: true),
    ]

    /// The text for an unknown value.
    private static let absent = "-"

    /// Returns the table, below a line about the agent itself.
    ///
    /// - Parameters:
    ///   - agent: The agent, as its API shows it.
    ///   - width: The width of the terminal in cells; `nil` if nothing needs to be cut.
    static func text(_ agent: JSONValue, width: Int?) -> String {
        let lines = head(agent, width) + [""] + table(agent["parts"]?.array ?? [], width: width)
        return lines.map { $0 + "\n" }.joined()
    }

    /// Returns a line about the agent itself and, below it, the parts that do not work in full.
    static func troubles(_ agent: JSONValue, width: Int?) -> [String] {
        let parts = (agent["parts"]?.array ?? []).filter { $0["state"]?.string != "running" }
        guard !parts.isEmpty else { return head(agent, width, ": all parts work") }
        let trial =
            parts.contains { $0["name"]?.string == "notices" && $0["reason"]?.string?.contains("clawradar ") == false }
            ? ["to try the ways by which you are told: clawradar notify test"] : []
        return head(agent, width) + table(parts, width: width)
            + trial.flatMap { WrappedText.lines($0, width: width) }
    }

    private static func head(_ agent: JSONValue, _ width: Int?, _ verdict: String = "") -> [String] {
        let process = agent["process"]?.int.map(String.init) ?? absent
        return WrappedText.lines(
            "agent \(cleaned(agent["version"])), process \(process)\(verdict)",
            first: "",
            width: width
        )
    }

    private static func table(_ parts: [JSONValue], width: Int?) -> [String] {
        let rows = parts.map { part in
            [
                cleaned(part["name"]), cleaned(part["state"]),
                part["since"]?.string.flatMap(Timestamp.init).map(TimeText.localDay) ?? absent,
                cleaned(part["reason"]),
            ]
        }
        return TextTable(columns: columns, rows: rows).lines(width: width)
    }

    /// Returns a sentence for each place of an agent that is not the one of whoever looks.
    ///
    /// - Parameters:
    ///   - agent: The agent, as its API shows it.
    ///   - folder: The folder of the own store of pairings.
    ///   - configuration: The path of the own configuration.
    static func differences(_ agent: JSONValue, folder: String?, configuration: String?) -> [String] {
        func isOther(_ value: JSONValue?, _ own: String?) -> Bool {
            guard let theirs = value?.string, let own else { return false }
            return FilePath(theirs).lexicallyNormalized() != FilePath(own).lexicallyNormalized()
        }
        var lines: [String] = []
        if isOther(agent["folder"], folder) {
            lines.append(
                "its pairings are in \(cleaned(agent["folder"])), and those of this shell in \(cleaned(own: folder)): what is "
                    + "paired there is not paired here. `clawradar agent install` has it use those of this shell."
            )
        }
        if isOther(agent["configuration"], configuration) {
            lines.append(
                "its configuration is \(cleaned(agent["configuration"])), and that of this shell "
                    + "\(cleaned(own: configuration))."
            )
        }
        return lines
    }

    private static func cleaned(own path: String?) -> String { cleaned(path.map(JSONValue.string)) }

    private static func cleaned(_ value: JSONValue?) -> String {
        value?.string.map { DisplayText(sentence: $0).text } ?? absent
    }
}
