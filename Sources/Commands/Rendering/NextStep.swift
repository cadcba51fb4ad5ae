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
        // `pair` refuses a name that several gateways or bots have, and a name that is cut or changed by cleaning means
        // nothing, so the address is given instead.
        let isUnique =
            ShellWord.keeps(row.name)
            && NameSearch.wholeMatches(row.name, among: PairingSubject.nameables(rows)).map(\.subject.gateway) == [
                row.id
            ]
        let word = isUnique ? ShellWord(row.name).lastArgument : row.word
        return word.map { "next: clawradar pair \($0)" }
    }
}
