internal import Connections
internal import Constellation
internal import DNSSD
internal import EventLoops
internal import GatewayProtocol
internal import PairingStore

/// The pairings of the store, as events for a map of gateways.
struct PairedOverlay: Sendable {
    let pairings: [StoredPairing]

    /// The identifiers of their rows in the map, and the first pairing of each row: there may be thousands of both.
    private let rows: [PairingID: GatewayID]
    private let byRow: [GatewayID: StoredPairing]

    /// The pinned certificates.
    private let pins: Set<LeafFingerprint>

    /// - Parameters:
    ///   - pairings: The pairings.
    ///   - interfaces: The interfaces of this host, which resolve the scopes of link-local addresses.
    init(_ pairings: [StoredPairing], interfaces: [NetworkInterface] = HostInterface.all.map(\.interface)) {
        self.pairings = pairings
        let found = pairings.compactMap { pairing in pairing.rowID(interfaces: interfaces).map { ($0, pairing) } }
        rows = Dictionary(found.map { ($1.id, $0) }) { first, _ in first }
        byRow = Dictionary(found) { first, _ in first }
        pins = Set(pairings.compactMap { if case .pinned(let leaf) = $0.trust { leaf } else { nil } })
    }

    /// The events that report the paired bots, and the certificates that are pinned at the endpoints of their gateways.
    var events: [BotMapEvent] {
        pairings.flatMap { pairing -> [BotMapEvent] in
            guard let row = row(of: pairing) else { return [] }
            var events: [BotMapEvent] = []
            if case .pinned(let leaf) = pairing.trust {
                events += pairing.endpoints.map { .proved($0, .pinnedLeaf, leaf: leaf) }
            }
            return events
                + pairing.bots.filter { !$0.isArchived }.map { bot in
                    let key = BotKey(gateway: row, bot: bot.id)
                    return .paired(
                        PairedBot(
                            id: key,
                            name: bot.name,
                            emoji: bot.emoji,
                            gatewayName: pairing.name,
                            place: pairing.place
                        )
                    )
                }
        }
    }

    /// Returns the events that report which paths of a row have proved to be a paired gateway by presenting its pinned
    /// certificate, which nobody else can do.
    func proofs(in row: Gateway) -> [BotMapEvent] {
        row.paths.compactMap { path in
            guard path.proof < .pinnedLeaf, let leaf = path.outcome?.identity?.leaf,
                pins.contains(leaf)
            else { return nil }
            return .proved(path.endpoint, .pinnedLeaf, leaf: leaf)
        }
    }

    /// Applies the pairings to a map, and keeps reporting proofs to the map while the closure runs.
    func laid<Value: Sendable>(
        over constellation: Constellation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        await constellation.apply(events)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await follow(constellation) }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    /// Reports proofs to a map until the task is cancelled.
    func follow(_ constellation: Constellation) async {
        guard !pairings.isEmpty else { return }
        for await update in constellation.updates {
            let events: [BotMapEvent] =
                switch update {
                case .snapshot(let snapshot): snapshot.gateways.flatMap { proofs(in: $0) }
                case .change(.found(let row), _), .change(.changed(let row, _), _): proofs(in: row)
                case .change(.lost, _), .change(.problem, _): []
                }
            if !events.isEmpty { await constellation.apply(events) }
        }
    }

    /// Returns the pairing of a row of the map; `nil` if it is not paired.
    func pairing(of row: Gateway) -> StoredPairing? { byRow[row.id] }

    /// Returns the identifier of the row of a pairing.
    func row(of pairing: StoredPairing) -> GatewayID? { rows[pairing.id] }
}
