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
        let rows = (agent["parts"]?.array ?? []).map { part in
            [
                cleaned(part["name"]), cleaned(part["state"]),
                part["since"]?.string.flatMap(Timestamp.init).map(TimeText.localDay) ?? absent,
                cleaned(part["reason"]),
            ]
        }
        let process = agent["process"]?.int.map(String.init) ?? absent
        let head = "agent \(cleaned(agent["version"])), process \(process)"
        return ([head, ""] + TextTable(columns: columns, rows: rows).lines(width: width)).map { $0 + "\n" }.joined()
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
        value?.string.map { DisplayText($0, limit: 400).text } ?? absent
    }
}
