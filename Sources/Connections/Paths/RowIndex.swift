internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import PairingStore
internal import Trust

/// The rows of the map, indexed by the properties that a pairing knows of its gateway: maps have thousands of rows, and
/// hosts hundreds of pairings. A value.
struct RowIndex: Equatable {
    private(set) var rows: [GatewayID: Gateway] = [:]
    private var byFingerprint: [GatewayFingerprint: Set<GatewayID>] = [:]
    private var byLeaf: [LeafFingerprint: Set<GatewayID>] = [:]
    private var byEndpoint: [Endpoint: Set<GatewayID>] = [:]

    init(_ rows: [Gateway] = []) {
        for row in rows { update(row) }
    }

    /// The row with an identifier.
    subscript(id: GatewayID) -> Gateway? { rows[id] }

    /// Adds a row, or replaces its former version.
    mutating func update(_ row: Gateway) {
        remove(row.id)
        rows[row.id] = row
        if let fingerprint = row.fingerprint { byFingerprint[fingerprint, default: []].insert(row.id) }
        for leaf in Self.leaves(of: row) { byLeaf[leaf, default: []].insert(row.id) }
        for path in row.paths { byEndpoint[path.endpoint, default: []].insert(row.id) }
    }

    /// Removes a row.
    mutating func remove(_ id: GatewayID) {
        guard let row = rows.removeValue(forKey: id) else { return }
        if let fingerprint = row.fingerprint { byFingerprint[fingerprint]?.remove(id) }
        for leaf in Self.leaves(of: row) { byLeaf[leaf]?.remove(id) }
        if let fingerprint = row.fingerprint, byFingerprint[fingerprint]?.isEmpty == true {
            byFingerprint[fingerprint] = nil
        }
        for leaf in Self.leaves(of: row) where byLeaf[leaf]?.isEmpty == true { byLeaf[leaf] = nil }
        for path in row.paths {
            byEndpoint[path.endpoint]?.remove(id)
            if byEndpoint[path.endpoint]?.isEmpty == true { byEndpoint[path.endpoint] = nil }
        }
    }

    /// Returns the path to an endpoint, one with a known identity if several rows have one; `nil` if no row does.
    func path(at endpoint: Endpoint) -> GatewayPath? {
        let paths = (byEndpoint[endpoint] ?? []).sorted().compactMap { id in
            rows[id]?.paths.first { $0.endpoint == endpoint }
        }
        return paths.first { $0.outcome?.identity != nil } ?? paths.first
    }

    /// Returns the rows that concern a pairing, as ``PathChoice`` defines it, ordered by their identifiers.
    func rows(concerning pairing: StoredPairing, rowID: GatewayID?) -> [Gateway] {
        var ids: Set<GatewayID> = []
        if let rowID { ids.insert(rowID) }
        if let fingerprint = pairing.fingerprint { ids.formUnion(byFingerprint[fingerprint] ?? []) }
        if case .pinned(let pin) = pairing.trust { ids.formUnion(byLeaf[pin] ?? []) }
        for endpoint in pairing.endpoints { ids.formUnion(byEndpoint[endpoint] ?? []) }
        return ids.sorted().compactMap { rows[$0] }
    }

    /// Returns the certificates that the paths of a row show.
    static func leaves(of row: Gateway) -> Set<LeafFingerprint> { Set(row.paths.compactMap { $0.outcome?.shownLeaf }) }
}
