internal import DNSSD
internal import GatewayProtocol

/// The marks of all paired gateways, found by what an endpoint shows. A value.
struct PairedMarksIndex {
    private var marks: [GatewayID: PairedMarks] = [:]
    private var byPin: [LeafFingerprint: Set<GatewayID>] = [:]
    private var byEndpoint: [Endpoint: Set<GatewayID>] = [:]

    var isEmpty: Bool { marks.isEmpty }

    /// The marks of a row's gateway; `nil` if it is not paired, or its pairing has none.
    subscript(row: GatewayID) -> PairedMarks? { marks[row] }

    /// Replaces the marks of a row.
    ///
    /// - Returns: `true` if that changes anything.
    mutating func set(_ new: PairedMarks?, of row: GatewayID) -> Bool {
        let old = marks[row]
        guard old != new else { return false }
        if let old {
            if case .leaf(let pin) = old.proof { Self.change(&byPin, pin) { $0.remove(row) } }
            for endpoint in old.endpoints { Self.change(&byEndpoint, endpoint) { $0.remove(row) } }
        }
        marks[row] = new
        if let new {
            if case .leaf(let pin) = new.proof { Self.change(&byPin, pin) { $0.insert(row) } }
            for endpoint in new.endpoints { Self.change(&byEndpoint, endpoint) { $0.insert(row) } }
        }
        return true
    }

    /// Indicates whether a leaf is pinned for any gateway.
    func isPinned(_ leaf: LeafFingerprint) -> Bool { byPin[leaf] != nil }

    /// Returns the rows of which an endpoint is a place, or was the last one, sorted.
    func rows(at endpoint: Endpoint) -> [GatewayID] { byEndpoint[endpoint]?.sorted() ?? [] }

    /// Returns the rows of the gateways for which a leaf is pinned, sorted.
    func rows(pinning leaf: LeafFingerprint) -> [GatewayID] { byPin[leaf]?.sorted() ?? [] }

    /// Indicates whether an endpoint that shows the certificate of a row's gateway is the place of another pairing.
    func isPlace(_ endpoint: Endpoint, ofAnotherThan id: GatewayID) -> Bool {
        guard let own = marks[id], case .leaf(let pin) = own.proof else { return false }
        return (byPin[pin] ?? []).union(byEndpoint[endpoint] ?? []).contains { other in
            other != id && marks[other]?.hasPlace(endpoint, besides: own) == true
        }
    }

    /// Returns the row of the paired gateway that an answer is recognized as, with the proof that it gives. Of several
    /// behind one front, which share a leaf, it is the one that has this place.
    func row(at endpoint: Endpoint, _ identity: GatewayIdentity) -> (id: GatewayID, proof: GatewayProof)? {
        guard !marks.isEmpty else { return nil }
        let shown = identity.leaf.flatMap { byPin[$0] } ?? []
        let found = shown.union(byEndpoint[endpoint] ?? []).sorted().compactMap { id -> (GatewayID, GatewayProof)? in
            guard let marks = marks[id], Self.agree(id, identity.fingerprint),
                marks.isGiven(by: identity, at: endpoint)
            else { return nil }
            return (id, marks.proof.given)
        }
        let here = found.filter { marks[$0.0]?.has(endpoint) == true }
        if let best = here.max(by: { $0.1 < $1.1 }) { return best }
        // Each may be the one that a front has for requests without a name.
        let near = found.filter { marks[$0.0]?.endpoints.contains(endpoint) == true }
        let candidates = near.isEmpty ? found : near
        return candidates.count == 1 ? candidates[0] : nil
    }

    /// Indicates whether the pinned leaf of an answer proves a paired gateway.
    func recognizes(at endpoint: Endpoint, byLeafOf identity: GatewayIdentity) -> Bool {
        row(at: endpoint, identity)?.proof == .pinnedLeaf
    }

    /// Indicates whether an answer does not name another gateway than a row's.
    private static func agree(_ id: GatewayID, _ fingerprint: GatewayFingerprint?) -> Bool {
        id.ownFingerprint.map { $0 == fingerprint } ?? true
    }

    private static func change<Key>(
        _ index: inout [Key: Set<GatewayID>],
        _ key: Key,
        _ body: (inout Set<GatewayID>) -> Void
    ) {
        var ids = index[key] ?? []
        body(&ids)
        index[key] = ids.isEmpty ? nil : ids
    }
}

extension PairedMarks {
    /// Indicates whether an endpoint is a place of the pairing, or was the last one, by its very name.
    fileprivate func has(_ endpoint: Endpoint) -> Bool { places.contains(endpoint) || home == endpoint }
}

extension PairedMarks.Proof {
    /// The proof as it is shown once an answer has given it.
    fileprivate var given: GatewayProof {
        switch self {
        case .leaf: .pinnedLeaf
        case .certificate, .address: .sameAddress
        }
    }
}
