package import DNSSD
package import GatewayProtocol
internal import HostSystem
package import Scanning

/// The store of pairings as facts for the map: which bots are paired, and the marks by which their gateways are
/// recognized. A value, which does no I/O itself.
///
/// Sessions, pairing and the verbs report what is paired through it, so that the map has the same picture whoever has
/// read the store.
package struct PairedGateways: Sendable {
    /// Returns the network that leads to an address now; `nil` when there is none, or it is not known.
    package typealias Network = (IPAddress) -> NetworkObservation?

    /// The pairings.
    package private(set) var pairings: [PairingID: StoredPairing] = [:]

    /// The identifiers of their rows, and the pairing of each row: of several, the one with the lowest identifier.
    private var rows: [PairingID: GatewayID] = [:]
    private var byRow: [GatewayID: [PairingID]] = [:]

    /// The pairings of gateways without TLS at each endpoint of theirs.
    private var byPlace: [Endpoint: Set<PairingID>] = [:]
    private var marks: [PairingID: PairedMarks] = [:]

    /// The bots of each row that were reported as without a token here.
    private var withoutToken: [GatewayID: Set<BotKey>] = [:]

    /// The endpoints of their rows when these were last looked at.
    private var seen: [PairingID: [Endpoint]] = [:]

    /// The names that the user has given to gateways.
    private var aliases: [GatewayAlias] = []

    package init() {}

    /// Makes it to say which rows pairings have, for whoever reports nothing to a map: no network is looked at.
    package init(of pairings: [StoredPairing]) { _ = take(pairings, network: { _ in nil }) }

    /// Takes in the pairings as they were just read.
    ///
    /// - Parameters:
    ///   - found: All pairings.
    ///   - aliases: All names that the user has given to gateways; `nil` if they were not read.
    ///   - interfaces: The interfaces of this host, which resolve the scopes of link-local addresses.
    ///   - network: Is called for the endpoints of new and changed pairings without TLS.
    /// - Returns: The news for the map.
    package mutating func take(
        _ found: [StoredPairing],
        aliases: [GatewayAlias]? = nil,
        interfaces: [NetworkInterface] = HostInterface.all.map(\.interface),
        network: Network = { NetworkObservation.current(to: $0) }
    ) -> [BotMapEvent] {
        let ids = Set(found.map(\.id))
        var events: [BotMapEvent] = []
        if let aliases, aliases != self.aliases {
            self.aliases = aliases
            events.append(.aliased(aliases))
        }
        for pairing in pairings.values.sorted(by: { $0.id < $1.id }) where !ids.contains(pairing.id) {
            events += remove(pairing)
        }
        for pairing in found where pairings[pairing.id] != pairing {
            events += update(pairing, interfaces: interfaces, network)
        }
        return events
    }

    /// Reads anew whether the network is as it was at pairing, for the gateways without TLS that a row is, or that were
    /// paired where it is: when something has just answered there, the kernel knows more, and after a change of network it
    /// may be another one.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - aspects: Its aspects that have changed; all if `nil`. An answer that changes nothing else counts only where the
    ///     gateway has moved, since no session connects there, so that nobody else would notice that its machine is back;
    ///     and at an endpoint whose network was not looked at.
    ///   - network: Returns the network that leads to an address now.
    /// - Returns: The news for the map.
    package mutating func look(
        _ row: Gateway,
        after aspects: Set<GatewayAspect>? = nil,
        network: Network = { NetworkObservation.current(to: $0) }
    ) -> [BotMapEvent] {
        let own = byRow[row.id] ?? []
        for id in own where pairings[id]?.trust.isPlain == true { seen[id] = row.paths.map(\.endpoint) }
        // While one that claims to be the gateway answers at its place, the row of the gateway itself may be silent.
        let there = row.paths.flatMap { byPlace[$0.endpoint] ?? [] }
        return Set(own + there).sorted().flatMap { id -> [BotMapEvent] in
            guard let pairing = pairings[id], pairing.trust.isPlain else { return [] }
            if aspects == [.latency], let known = marks[id], known.moves.isEmpty {
                let isSettled = pairing.place == nil || !row.paths.contains { known.isToBeCompared($0.endpoint) }
                if isSettled || !own.contains(id) { return [] }
            }
            return look(id, network)
        }
    }

    /// Reads anew whether the networks of all gateways without TLS are as they were at pairing, after this host's network
    /// has changed.
    ///
    /// - Returns: The news for the map.
    package mutating func lookAgain(
        network: Network = { NetworkObservation.current(to: $0) }
    ) -> [BotMapEvent] {
        pairings.values.filter(\.trust.isPlain).map(\.id).sorted().flatMap { look($0, network) }
    }

    private mutating func look(_ id: PairingID, _ network: Network) -> [BotMapEvent] {
        guard let pairing = pairings[id], let row = rows[id], let first = pairing.bots.first else { return [] }
        let found = pairing.marks(network, seen: seen[id] ?? [])
        guard found != marks[id] else { return [] }
        marks[id] = found
        return [.paired(PairedBot(first, of: pairing, at: row, found))]
    }

    /// Returns the certificate that each stored endpoint of pairings has to show. Of several, it is that of the gateway which
    /// was verified there last: at an older endpoint, there may be another one by now.
    package static func pins(of pairings: some Sequence<StoredPairing>) -> [Endpoint: LeafFingerprint] {
        var (latest, older): ([Endpoint: LeafFingerprint], [Endpoint: LeafFingerprint]) = ([:], [:])
        for pairing in pairings {
            guard case .pinned(let leaf) = pairing.trust, let first = pairing.endpoints.first else { continue }
            latest[first] = leaf
            for endpoint in pairing.endpoints.dropFirst() { older[endpoint] = leaf }
        }
        return latest.merging(older) { latest, _ in latest }
    }

    /// Returns the pairing of a row of the map; `nil` if it is not paired.
    package func pairing(of row: Gateway) -> StoredPairing? { byRow[row.id]?.first.flatMap { pairings[$0] } }

    /// Returns the marks of a pairing as they were last reported to the map; `nil` if it has no row.
    package func marks(of pairing: PairingID) -> PairedMarks? { marks[pairing] }

    /// Returns the identifier of the row of a pairing.
    package func row(of pairing: PairingID) -> GatewayID? { rows[pairing] }

    // MARK: Changes

    private mutating func update(
        _ pairing: StoredPairing,
        interfaces: [NetworkInterface],
        _ network: Network
    ) -> [BotMapEvent] {
        var events: [BotMapEvent] = []
        // A pairing that was read before keeps its row: the same interface may have another number by now.
        var former = pairings[pairing.id]
        if let known = former, known.gatewayID != pairing.gatewayID || known.fingerprint != pairing.fingerprint {
            events += remove(known)
            former = nil
        }
        pairings[pairing.id] = pairing
        note(pairing, insteadOf: former)
        guard let row = rows[pairing.id] ?? pairing.rowID(interfaces: interfaces) else { return events }
        if rows.updateValue(row, forKey: pairing.id) == nil {
            byRow[row, default: []].append(pairing.id)
            byRow[row]?.sort()
        }
        let ids = Set(pairing.bots.map(\.id))
        events += unpaired((former?.bots ?? []).filter { !ids.contains($0.id) }, of: pairing.id, at: row)
        let known = marks[pairing.id]
        if former == nil || former.map(pairing.isRecognizedOtherwise) == true {
            marks[pairing.id] = pairing.marks(network, seen: seen[pairing.id] ?? [])
        }
        let isSame =
            former?.bots == pairing.bots && former?.name == pairing.name && former?.place == pairing.place
            && former?.isToBePairedHere == pairing.isToBePairedHere && marks[pairing.id] == known
        guard !isSame else { return events }
        events += pairing.bots.map { .paired(PairedBot($0, of: pairing, at: row, marks[pairing.id])) }
        return events + obstacles(at: row)
    }

    /// Returns the news that bots of a row cannot be connected, since no pairing of them has a token here, or that they can be
    /// now: no session says it.
    ///
    /// - Parameter isRemoval: Indicates whether a pairing has gone, whose session may still be there: nothing is said to be
    ///   without a token then.
    private mutating func obstacles(at row: GatewayID, isRemoval: Bool = false) -> [BotMapEvent] {
        let pairings = (byRow[row] ?? []).compactMap { self.pairings[$0] }
        func keys(_ pairings: [StoredPairing]) -> Set<BotKey> {
            Set(pairings.flatMap { pairing in pairing.bots.map { BotKey(gateway: row, bot: $0.id) } })
        }
        let (all, before) = (keys(pairings), withoutToken[row] ?? [])
        var now = all.subtracting(keys(pairings.filter { !$0.isToBePairedHere }))
        if isRemoval { now.formIntersection(before) }
        withoutToken[row] = now.isEmpty ? nil : now
        return all.sorted().flatMap { key -> [BotMapEvent] in
            guard now.contains(key) != before.contains(key) else { return [] }
            let (former, state): (BotState, BotState) = now.contains(key) ? (.paired, .failed) : (.failed, .paired)
            return former.steps(to: state).map { .stateChanged(key, $0) }
        }
    }

    private mutating func note(_ pairing: StoredPairing?, insteadOf former: StoredPairing?) {
        for (stored, isThere) in [(former, false), (pairing, true)] {
            guard let stored, stored.trust.isPlain else { continue }
            for endpoint in Set(stored.endpoints + stored.endpoints.map(\.unnamed)) {
                var ids = byPlace[endpoint] ?? []
                if isThere { ids.insert(stored.id) } else { ids.remove(stored.id) }
                byPlace[endpoint] = ids.isEmpty ? nil : ids
            }
        }
    }

    private mutating func remove(_ pairing: StoredPairing) -> [BotMapEvent] {
        pairings[pairing.id] = nil
        note(nil, insteadOf: pairing)
        marks[pairing.id] = nil
        seen[pairing.id] = nil
        guard let row = rows.removeValue(forKey: pairing.id) else { return [] }
        byRow[row]?.removeAll { $0 == pairing.id }
        if byRow[row]?.isEmpty == true { byRow[row] = nil }
        return unpaired(pairing.bots, of: pairing.id, at: row) + obstacles(at: row, isRemoval: true)
    }

    /// Returns the news that bots of a row are not paired any more by one pairing. Those that another pairing of the gateway
    /// has stay paired, by that one and with its marks.
    private func unpaired(_ bots: [StoredBot], of pairing: PairingID, at row: GatewayID) -> [BotMapEvent] {
        guard !bots.isEmpty else { return [] }
        let others = (byRow[row] ?? []).filter { $0 != pairing }.compactMap { pairings[$0] }
        let gone = Set(bots.map(\.id)).subtracting(others.flatMap(\.bots).map(\.id))
        return bots.filter { gone.contains($0.id) }.map { .unpaired(BotKey(gateway: row, bot: $0.id)) }
            + others.prefix(1).flatMap { other in
                other.bots.map { .paired(PairedBot($0, of: other, at: row, marks[other.id])) }
            }
    }
}

extension PairedBot {
    init(_ bot: StoredBot, of pairing: StoredPairing, at row: GatewayID, _ marks: PairedMarks?) {
        self.init(
            id: BotKey(gateway: row, bot: bot.id),
            name: bot.name,
            emoji: bot.emoji,
            gatewayName: pairing.name,
            place: pairing.place,
            marks: marks
        )
    }
}
