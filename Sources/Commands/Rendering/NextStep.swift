internal import GatewayProtocol
internal import Reports
internal import Scanning

/// A suggestion for the next command after something has succeeded. Every word of a command that somebody else has chosen is a
/// ``Reports/ShellWord``.
enum NextStep {
    /// The line after something was paired, which no agent keeps connected.
    static let install = line("clawradar agent install")

    /// Returns the line with a command.
    static func line(_ command: String) -> String { "next: \(command)" }

    /// Returns a line with the command to pair with a gateway that answers and is not paired; `nil` if there is none.
    ///
    /// - Parameter rows: The gateways, in the order in which they are shown.
    static func line(_ rows: [Gateway]) -> String? {
        let candidates = rows.filter { row in
            let speaks = row.dialect?.isPairedWith(overTLS: row.outcome?.identity?.leaf != nil) == true
            return row.liveness == .answering && !row.isPaired && row.flags.isEmpty && speaks
        }
        guard let row = candidates.first else { return nil }
        return pair(row.name, PairingSubject.Match(gateway: row.id, bot: nil), row.word) {
            PairingSubject.nameables(rows)
        }
    }

    /// Returns the same for gateways as `GatewayReport` writes them: what an agent knows.
    ///
    /// - Parameter paired: The names of paired gateways that are not among them.
    static func line(reports: [JSONValue], paired: [String] = []) -> String? {
        let candidates = reports.filter { row in
            let isPaired = row["bots"]?.array?.contains { $0["isPaired"]?.bool == true } == true
            let dialect = row["dialect"]?.string.flatMap(GatewayDialect.init(rawValue:))
            return row["liveness"]?.string == Liveness.answering.rawValue && !isPaired
                && row["flags"]?.array?.isEmpty == true
                && dialect?.isPairedWith(overTLS: row["tls"]?["leafSha256"] != nil) == true
        }
        guard let row = candidates.first, let name = row["name"]?.string, let id = row["id"]?.string else { return nil }
        let word = endpoints(of: row).lazy.compactMap { ShellWord($0)?.description }.first
        return pair(name, id, word) {
            reports.flatMap(nameables) + paired.map { Nameable(subject: "", names: NameKeys(names: [$0]), label: "") }
        }
    }

    private static func pair<Subject>(
        _ name: String,
        _ subject: Subject,
        _ place: String?,
        among things: () -> [Nameable<Subject>]
    ) -> String? {
        // `pair` would take it for something else, such as an address or a setup code, or refuse it because several gateways
        // or bots have it.
        let word = ShellWord(name: name).flatMap { word in
            (try? PairingSubject(name)) == .name(name)
                && NameSearch.wholeMatches(name, among: things()).map(\.subject) == [subject] ? word.description : nil
        }
        return (word ?? place).map { line("clawradar pair \($0)") }
    }

    private static func nameables(_ row: JSONValue) -> [Nameable<String>] {
        let id = row["id"]?.string ?? ""
        let services = (row["services"]?.array ?? []).compactMap { $0["name"]?.string }
        let names = [row["name"]?.string, row["fingerprint"]?.string].compactMap(\.self) + services
        let owner = NameKeys(facts: [id] + endpoints(of: row), names: names)
        let bots = (row["bots"]?.array ?? []).map { bot in
            let names = [bot["name"]?.string, bot["id"]?.string].compactMap(\.self)
            return Nameable(
                subject: "bot \(bot["id"]?.string ?? "") of \(id)",
                names: NameKeys(names: names),
                of: owner,
                label: ""
            )
        }
        return [Nameable(subject: id, names: owner, label: "")] + bots
    }

    private static func endpoints(of row: JSONValue) -> [String] {
        (row["paths"]?.array ?? []).compactMap { $0["endpoint"]?.string }
    }
}
