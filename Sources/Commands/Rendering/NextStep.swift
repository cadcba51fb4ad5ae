internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import Reports

/// A suggestion for the next command after gateways have been found.
enum NextStep {
    /// Returns a line with the command to pair with a gateway that answers and is not paired; `nil` if there is none.
    ///
    /// - Parameter rows: The gateways, in the order in which they are shown.
    static func line(_ rows: [Gateway]) -> String? {
        let candidates = rows.filter { row in
            let speaks = row.dialect?.isPairedWith(overTLS: row.outcome?.identity?.leaf != nil) == true
            return row.liveness == .answering && !row.isPaired && row.flags.isEmpty && speaks
        }
        guard let row = candidates.first else { return nil }
        return (name(row, among: rows) ?? row.word).map { "next: clawradar pair \($0)" }
    }

    /// Returns the word for the name of a gateway; `nil` if `pair` would take it for something else, such as an address or a
    /// setup code, or refuse it because several gateways or bots have it.
    private static func name(_ row: Gateway, among rows: [Gateway]) -> String? {
        guard let word = ShellWord(name: row.name), (try? PairingSubject(row.name)) == .name(row.name) else {
            return nil
        }
        let found = NameSearch.wholeMatches(row.name, among: PairingSubject.nameables(rows))
        return found.map(\.subject.gateway) == [row.id] ? word.description : nil
    }
}
