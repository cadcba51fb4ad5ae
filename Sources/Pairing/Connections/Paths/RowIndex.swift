internal import DNSSD
internal import GatewayProtocol
internal import Scanning

/// The rows of the map, indexed by the properties that a pairing knows of its gateway: maps have thousands of rows, and
/// hosts hundreds of pairings. A value.
struct RowIndex {
    /// The rows, and the places without one.
    private var places: [Gateway?] = []
    private var free: [UInt32] = []

    /// The places of the rows by the hashes of their identifiers, and of all that is looked for: their fingerprints, the
    /// certificates that they show, and their endpoints.
    private var byID = HashedNumbers()
    private var byMark = HashedNumbers()

    init(_ rows: [Gateway] = []) {
        for row in rows { update(row) }
    }

    /// The row with an identifier.
    subscript(id: GatewayID) -> Gateway? { place(of: id).flatMap { places[Int($0)] } }

    private func place(of id: GatewayID) -> UInt32? {
        byID.first(HashedNumbers.hash(id)) { places[Int($0)]?.id == id }
    }

    /// Adds a row, or replaces its former version.
    mutating func update(_ row: Gateway) {
        remove(row.id)
        let place = free.popLast() ?? UInt32(places.count)
        if Int(place) == places.count { places.append(row) } else { places[Int(place)] = row }
        byID.insert(HashedNumbers.hash(row.id), place)
        for mark in Self.marks(of: row) { byMark.insert(mark, place) }
    }

    /// Removes a row.
    mutating func remove(_ id: GatewayID) {
        guard let place = place(of: id), let row = places[Int(place)] else { return }
        for mark in Self.marks(of: row) { byMark.remove(mark, place) }
        byID.remove(HashedNumbers.hash(id), place)
        places[Int(place)] = nil
        free.append(place)
        byID.giveBackRoom()
        byMark.giveBackRoom()
        places.giveBackRoom(used: byID.count, free: &free) { $0 == nil }
    }

    /// Returns the hashes by which a row is found, each once.
    private static func marks(of row: Gateway) -> Set<UInt32> {
        var marks = Set(row.paths.map { HashedNumbers.hash($0.endpoint) })
        marks.formUnion(leaves(of: row).map { HashedNumbers.hash($0) })
        if let fingerprint = row.fingerprint { marks.insert(HashedNumbers.hash(fingerprint)) }
        return marks
    }

    /// Returns the rows that have a mark, as the predicate finds out.
    private func rows(_ mark: some Hashable, where isRight: (Gateway) -> Bool) -> [Gateway] {
        var found: [Gateway] = []
        _ = byMark.first(HashedNumbers.hash(mark)) { place in
            if let row = places[Int(place)], isRight(row) { found.append(row) }
            return false
        }
        return found
    }

    private func rows(at endpoint: Endpoint) -> [Gateway] {
        rows(endpoint) { $0.paths.contains { $0.endpoint == endpoint } }
    }

    /// Returns the path to an endpoint, one with a known identity if several rows have one; `nil` if no row does.
    func path(at endpoint: Endpoint) -> GatewayPath? {
        let paths = rows(at: endpoint).sorted { $0.id < $1.id }.compactMap { row in
            row.paths.first { $0.endpoint == endpoint }
        }
        return paths.first { $0.outcome?.identity != nil } ?? paths.first
    }

    /// Returns the rows that concern a pairing, as ``PathChoice`` defines it, ordered by their identifiers.
    func rows(concerning pairing: StoredPairing, rowID: GatewayID?) -> [Gateway] {
        var found = rowID.flatMap { self[$0] }.map { [$0] } ?? []
        if let fingerprint = pairing.fingerprint { found += rows(fingerprint) { $0.fingerprint == fingerprint } }
        if case .pinned(let pin) = pairing.trust { found += rows(pin) { Self.leaves(of: $0).contains(pin) } }
        for endpoint in pairing.endpoints { found += rows(at: endpoint) }
        let each = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return each.values.sorted { $0.id < $1.id }
    }

    /// Returns the certificates that the paths of a row show.
    static func leaves(of row: Gateway) -> Set<LeafFingerprint> { Set(row.paths.compactMap { $0.outcome?.shownLeaf }) }
}

extension RowIndex: Equatable {
    /// Compares the rows, and how many entries there are for them, wherever they are.
    static func == (lhs: RowIndex, rhs: RowIndex) -> Bool {
        lhs.rows == rhs.rows && lhs.byID.count == rhs.byID.count && lhs.byMark.count == rhs.byMark.count
    }

    /// The rows by their identifiers.
    var rows: [GatewayID: Gateway] {
        Dictionary(places.compactMap(\.self).map { ($0.id, $0) }) { first, _ in first }
    }
}
