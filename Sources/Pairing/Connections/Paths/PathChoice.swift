internal import DNSSD
internal import GatewayProtocol
internal import Scanning

/// The choice of the paths to a paired gateway, from its stored endpoints and from the rows of the map that may be it.
/// A value, which does no I/O itself.
///
/// It orders paths, and judges none: whether a path may be tried is the verdict that the marks of the pairing give on it,
/// and whether the gateway is not as it was, what its row in the map says, which every view shows.
///
/// Endpoints that show the pinned leaf come first. Then the paths of the gateway's own row, in the order of the map,
/// and the stored endpoints take turns, so that neither crowds out the other. Other rows that claim its fingerprint
/// come last; with TLS, certificates distinguish them from the gateway. All paths on this network come before the
/// others, and the remote URL of the pairing after these. Without TLS, if the user trusts any address, the place of the
/// pairing comes before all others: who answers first is no reason to prefer it.
struct PathChoice {
    /// The maximum number of paths on this network that are tried, and of others.
    static let mostOfEachReach = 8

    /// The pairing.
    let pairing: StoredPairing

    /// The identifier of its own row.
    let rowID: GatewayID?

    /// The row of the gateway, and those that claim its fingerprint.
    let rows: [Gateway]

    /// The marks of the pairing, as the map has them.
    let marks: PairedMarks

    init(_ pairing: StoredPairing, _ marks: PairedMarks, rowID: GatewayID?, rows: [Gateway]) {
        self.pairing = pairing
        self.marks = marks
        self.rowID = rowID
        self.rows = rows.filter { Self.concerns($0, showing: RowIndex.leaves(of: $0), pairing, rowID: rowID) }
    }

    /// Indicates whether a row is that of a paired gateway, claims its fingerprint, is at its place, or shows its pinned
    /// leaf. That is the leaf of a front, so that another gateway may show it, too, which tells another fingerprint. Many
    /// gateways have no fingerprint: then the leaf alone shows where they may be now.
    ///
    /// - Parameter leaves: The certificates that the row's paths show, as ``RowIndex/leaves(of:)`` finds them.
    static func concerns(
        _ row: Gateway,
        showing leaves: Set<LeafFingerprint>,
        _ pairing: StoredPairing,
        rowID: GatewayID?
    ) -> Bool {
        if row.id == rowID { return true }
        if let fingerprint = pairing.fingerprint, row.fingerprint == fingerprint { return true }
        let places = pairing.endpoints
        if row.paths.contains(where: { places.contains(places.naming($0.endpoint)) }) { return true }
        guard case .pinned(let pin) = pairing.trust else { return false }
        return leaves.contains(pin) && (pairing.fingerprintToTell == nil || row.fingerprint == nil)
    }

    /// The paths as they are now.
    var offer: PathOffer {
        var sure: [SessionPath] = []
        var possible: [SessionPath] = []
        var verdicts: [(endpoint: Endpoint, verdict: PathVerdict)] = []
        for candidate in candidates {
            var way = SessionPath(
                place: .endpoint(candidate.endpoint),
                reach: candidate.reach,
                policy: pairing.trust
            )
            way.isElsewhere = pairing.isElsewhere(candidate.endpoint)
            let verdict = verdict(on: candidate)
            verdicts.append((candidate.endpoint, verdict))
            guard verdict.maySeek else { continue }
            if verdict == .own, case .pinned = pairing.trust { sure.append(way) } else { possible.append(way) }
        }
        // Others that claim the fingerprint may delay a better path, but never take its place.
        var ways = sure + possible
        ways = ways.filter { !$0.isElsewhere } + ways.filter(\.isElsewhere)
        var offer = PathOffer(provedLast: pairing.endpoints.first)
        offer.local = Array(ways.filter { $0.reach == .local }.prefix(Self.mostOfEachReach))
        offer.remote = Array(ways.filter { $0.reach == .remote }.prefix(Self.mostOfEachReach))
        offer.local += byName
        offer.remote += remote.filter { way in !(ways + byName).contains { $0.place == way.place } }
        offer.obstacle = obstacle(verdicts)
        return offer
    }

    /// The obstacle that the row of the gateway shows; `nil` if it shows none.
    private func obstacle(_ verdicts: [(endpoint: Endpoint, verdict: PathVerdict)]) -> PathOffer.Obstacle? {
        guard let own else { return nil }
        if let found = own.foundLeaf { return .changedLeaf(found: found) }
        guard own.flags.contains(.moved) else { return nil }
        let answering = Set(own.paths.filter(\.isAnswer).map { pairing.endpoints.naming($0.endpoint) })
        return .moved(
            pairing.terms.moveReason(
                verdicts,
                answering: answering,
                home: marks.home,
                change: pairing.changeOfTransport(in: own)
            )
        )
    }

    // MARK: Candidates

    private struct Candidate {
        /// The endpoint, by the name of the pairing where it has none.
        let endpoint: Endpoint
        let reach: Reach

        /// The path to it in the map, if it is there.
        let path: GatewayPath?
    }

    private var candidates: [Candidate] {
        var found: [Candidate] = []
        var seen: Set<Endpoint> = []
        let paths = paths
        func add(_ endpoint: Endpoint, _ path: GatewayPath?) {
            let endpoint = pairing.endpoints.naming(endpoint)
            guard seen.insert(endpoint).inserted else { return }
            let path = paths[endpoint] ?? path
            found.append(Candidate(endpoint: endpoint, reach: path?.reach ?? .local, path: path))
        }
        let own = own?.paths.filter { !$0.contradicts } ?? []
        let others = rows.filter { $0.id != rowID && mayBe($0) }.flatMap(\.paths)
        for turn in 0..<max(own.count, pairing.endpoints.count) {
            if turn < own.count { add(own[turn].endpoint, own[turn]) }
            if turn < pairing.endpoints.count { add(pairing.endpoints[turn], paths[pairing.endpoints[turn]]) }
        }
        for path in others { add(path.endpoint, path) }
        return found
    }

    /// Indicates whether another row than its own may be the gateway: one that is merely at its place is not.
    private func mayBe(_ row: Gateway) -> Bool {
        if let fingerprint = pairing.fingerprint, row.fingerprint == fingerprint { return true }
        guard case .pinned(let pin) = pairing.trust else { return false }
        return RowIndex.leaves(of: row).contains(pin)
    }

    /// The row of the gateway.
    private var own: Gateway? { rows.first { $0.id == rowID } }

    private var paths: [Endpoint: GatewayPath] {
        Dictionary(rows.flatMap(\.paths).map { ($0.endpoint, $0) }) { first, _ in first }
    }

    private func verdict(on candidate: Candidate) -> PathVerdict {
        marks.verdict(
            on: candidate.path?.endpoint ?? candidate.endpoint,
            candidate.path?.outcome,
            isNear: candidate.reach == .local,
            of: rowID?.ownFingerprint,
            isAnywhere: pairing.place != nil,
            others: own?.otherPlaces ?? [:]
        )
    }

    /// The path to the host by whose name the gateway is trusted, which is looked up anew: the certificate is the proof
    /// wherever that leads. After its addresses, since a name may take long to look up.
    private var byName: [SessionPath] {
        guard case .certified(let host) = pairing.trust, pairing.remoteURL == nil,
            let port = pairing.endpoints.first?.port
        else { return [] }
        let resource = pairing.endpoints.first?.resource ?? pairing.resource
        let place = SessionPath.Place.host(host, port: port)
        return [SessionPath(place: place, reach: .local, resource: resource, policy: pairing.trust)]
    }

    /// The path to the remote URL of the pairing. If that has a host name, the proof is a certificate for it, since the
    /// URL came with the pairing; if it has an address, the proof is the pinned certificate.
    private var remote: [SessionPath] {
        guard let url = pairing.remoteURL.flatMap(GatewayURL.init), url.isSecure else { return [] }
        if let address = url.address {
            guard case .pinned = pairing.trust else { return [] }
            let endpoint = url.endpoint(at: address)
            return [SessionPath(place: .endpoint(endpoint), reach: .remote, policy: pairing.trust)]
        }
        let place = SessionPath.Place.host(url.host, port: url.port)
        return [
            SessionPath(place: place, reach: .remote, resource: url.resource, policy: .certified(host: url.host))
        ]
    }
}
