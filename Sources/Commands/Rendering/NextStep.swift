internal import Constellation
internal import DNSSD
internal import GatewayProtocol

/// A suggestion for the next command after gateways have been found.
enum NextStep {
    /// Returns a line with the command to pair with a gateway that answers and is not paired; `nil` if there is none.
    ///
    /// - Parameter rows: The gateways, in the order in which they are shown.
    static func line(_ rows: [Gateway]) -> String? {
        let candidates = rows.filter { row in
            let speaks = row.dialect == .optaplus || row.dialect == .openClaw
            return row.liveness == .answering && !row.isPaired && row.flags.isEmpty && speaks
        }
        guard let row = candidates.first else { return nil }
        // `pair` refuses a name that several gateways have, so the address is given instead.
        let isUnique = rows.count { $0.name == row.name } == 1
        let name = isUnique ? row.name : row.paths.first.map { "\($0.endpoint)" } ?? row.name
        return "next: clawradar pair \(ShellWord(name))"
    }
}
