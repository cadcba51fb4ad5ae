internal import DNSSD
internal import Logging
internal import Pairing

/// The changes of what is paired, as lines of the agent's log: whoever reads it sees what the agent has taken up. A value.
struct PairingNews {
    private var known: [PairingID: StoredPairing]?

    /// Logs what is paired, and each change of it, until the task is cancelled.
    static func log(_ store: PairingStore, to logger: Logger?) async {
        guard let logger else { return }
        var news = PairingNews()
        var changes = await store.changes.begin()
        var found: [StoredPairing]?
        repeat {
            found = try? await store.perform { store throws(StoreError) in try store.pairings() }
            for line in found.map({ news.take($0) }) ?? [] { logger.info("\(line)") }
        } while await changes.next(ifRead: found != nil) != nil
    }

    /// Takes in what is paired now.
    ///
    /// - Returns: The lines about what is new.
    mutating func take(_ pairings: [StoredPairing]) -> [String] {
        let now = Dictionary(pairings.map { ($0.id, $0) }) { first, _ in first }
        defer { known = now }
        guard let known else {
            return [now.count == 1 ? "1 gateway is paired" : "\(now.count) gateways are paired"]
        }
        let ended = known.values.filter { now[$0.id] == nil }.sorted { $0.id < $1.id }
        return ended.map { "\(Self.label($0)) is not paired any more" }
            + pairings.flatMap { pairing in
                known[pairing.id].map { Self.changes(of: pairing, since: $0) }
                    ?? ["\(Self.label(pairing)) is paired"]
            }
    }

    private static func changes(of pairing: StoredPairing, since former: StoredPairing) -> [String] {
        var lines: [String] = []
        let label = label(pairing)
        if pairing.name != former.name { lines.append("\(Self.label(former)) is called \(label) now") }
        if pairing.trust != former.trust { lines.append("\(label) is trusted otherwise") }
        if pairing.bots != former.bots { lines.append("\(label) has other bots") }
        if pairing.connectsAutomatically != former.connectsAutomatically {
            lines.append("\(label) is \(pairing.connectsAutomatically ? "kept connected" : "connected when asked")")
        }
        return lines
    }

    private static func label(_ pairing: StoredPairing) -> String {
        "\(DisplayText(pairing.name, limit: 64).quoted) (\(pairing.id.description.prefix(8)))"
    }
}
