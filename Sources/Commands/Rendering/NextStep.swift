internal import Constellation
internal import DNSSD
internal import GatewayProtocol

/// The command that somebody who has found gateways may want next.
enum NextStep {
    /// A line with the command that pairs with a gateway which answers and is not paired; `nil` where there is none.
    ///
    /// - Parameter rows: The gateways, in the order in which they are shown.
    static func line(_ rows: [Gateway]) -> String? {
        let candidates = rows.filter { row in
            let speaks = row.dialect == .optaplus || row.dialect == .openClaw
            return row.liveness == .answering && !row.isPaired && row.flags.isEmpty && speaks
        }
        guard let row = candidates.first else { return nil }
        // A name that others have too would be asked back.
        let isUnique = rows.count { $0.name == row.name } == 1
        let name = isUnique ? row.name : row.paths.first.map { "\($0.endpoint)" } ?? row.name
        return "next: clawradar pair \(ShellWord(name))"
    }
}
