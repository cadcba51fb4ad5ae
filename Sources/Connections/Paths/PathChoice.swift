internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import PairingStore

/// The choice of the paths to a paired gateway, from its stored endpoints and from the rows of the map that may be it.
/// A value, which does no I/O itself.
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

    /// Returns the network that leads to an address now.
    let network: (IPAddress) -> NetworkObservation?

    /// Indicates whether an endpoint that shows the certificate of the pairing is the place of another pairing.
    let isOfAnother: (Endpoint) -> Bool

    init(
        _ pairing: StoredPairing,
        rowID: GatewayID?,
        rows: [Gateway],
        isOfAnother: @escaping (Endpoint) -> Bool = { _ in false },
        network: @escaping (IPAddress) -> NetworkObservation?
    ) {
        self.isOfAnother = isOfAnother
        self.pairing = pairing
        self.rowID = rowID
        self.rows = rows.filter { Self.concerns($0, showing: RowIndex.leaves(of: $0), pairing, rowID: rowID) }
        self.network = network
    }

    /// Indicates whether a row is that of a paired gateway, claims its fingerprint, or shows its pinned leaf. That is the
    /// leaf of a front, so that another gateway may show it, too, which tells another fingerprint. Many gateways have no
    /// fingerprint: then the leaf alone shows where they may be now, and what answers at their place shows whether they
    /// still have it.
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
        guard case .pinned(let pin) = pairing.trust else { return false }
        if pairing.fingerprintToTell != nil { return row.fingerprint == nil && leaves.contains(pin) }
        return leaves.contains(pin) || row.paths.contains { pairing.endpoints.contains($0.endpoint) }
    }

    /// The paths as they are now.
    var offer: PathOffer {
        var sure: [SessionPath] = []
        var possible: [SessionPath] = []
        var moved: MoveReason?
        var foreignLeaf: LeafFingerprint?
        let paths = paths
        for candidate in candidates {
            var way = SessionPath(
                place: .endpoint(candidate.endpoint),
                reach: candidate.reach,
                policy: pairing.trust
            )
            way.isElsewhere = pairing.isElsewhere(candidate.endpoint)
            switch verdict(on: candidate) {
            case .sure: sure.append(way)
            case .possible: possible.append(way)
            case .foreign(let leaf):
                // What has stopped answering shows nothing any more.
                let isGone = paths[candidate.endpoint]?.liveness == .gone
                if candidate.endpoint == pairing.endpoints.first, !isGone { foreignLeaf = leaf }
            case .moved(let reason):
                // A dead address in the gateway's row does not mean that it has moved there.
                if paths[candidate.endpoint].map(Self.isDead) == true { continue }
                // Another address explains more than any other reason.
                if moved == nil || reason == .address { moved = reason }
            case .refused:
                continue
            }
        }
        // Others that claim the fingerprint may delay a better path, but never take its place.
        var ways = sure + possible
        ways = ways.filter { !$0.isElsewhere } + ways.filter(\.isElsewhere)
        var offer = PathOffer(provedLast: pairing.endpoints.first)
        offer.local = Array(ways.filter { $0.reach == .local }.prefix(Self.mostOfEachReach))
        offer.remote = Array(ways.filter { $0.reach == .remote }.prefix(Self.mostOfEachReach))
        offer.local += byName
        offer.remote += remote.filter { way in !(ways + byName).contains { $0.place == way.place } }
        // Where the pinned leaf was shown before, and nothing answers now, it is not shown.
        let isShown = sure.contains { way in way.endpoint.flatMap { paths[$0] }.map { !Self.isDead($0) } ?? true }
        if let foreignLeaf, !isShown { offer.obstacle = .changedLeaf(found: foreignLeaf) }
        if let moved, !Self.hasLivePath(ways, paths) { offer.obstacle = .moved(moved) }
        return offer
    }

    // MARK: Candidates

    private struct Candidate {
        let endpoint: Endpoint
        let reach: Reach

        /// The certificate that it showed when it was last probed.
        let leaf: LeafFingerprint?
    }

    private enum Verdict {
        /// It shows the pinned leaf.
        case sure
        case possible
        case foreign(LeafFingerprint)
        case moved(MoveReason)
        case refused
    }

    private var candidates: [Candidate] {
        var found: [Candidate] = []
        var seen: Set<Endpoint> = []
        func add(_ endpoint: Endpoint, _ path: GatewayPath?) {
            guard seen.insert(endpoint).inserted else { return }
            let leaf = path.flatMap(Self.shownLeaf)
            found.append(Candidate(endpoint: endpoint, reach: path?.reach ?? .local, leaf: leaf))
        }
        let paths = paths
        let own = rows.filter { $0.id == rowID }.flatMap(\.paths).filter { !$0.contradicts }
        let others = rows.filter { $0.id != rowID }.flatMap(\.paths)
        for turn in 0..<max(own.count, pairing.endpoints.count) {
            if turn < own.count { add(own[turn].endpoint, own[turn]) }
            if turn < pairing.endpoints.count { add(pairing.endpoints[turn], paths[pairing.endpoints[turn]]) }
        }
        for path in others { add(path.endpoint, path) }
        return found
    }

    private var paths: [Endpoint: GatewayPath] {
        Dictionary(rows.flatMap(\.paths).map { ($0.endpoint, $0) }) { first, _ in first }
    }

    private func verdict(on candidate: Candidate) -> Verdict {
        switch pairing.trust {
        case .pinned(let pin):
            if let leaf = candidate.leaf, leaf != pin { return .foreign(leaf) }
            guard pairing.fingerprintToTell != nil || isItsPlace(candidate.endpoint) else {
                return verdict(onOtherPlace: candidate)
            }
            return candidate.leaf == nil ? .possible : .sure
        case .certified:
            return .possible
        case .sameAddress, .lan:
            guard Self.mayBePlain(candidate.endpoint, candidate.reach, pairing) else { return .refused }
            let attempt = TrustAttempt(
                shown: .plain,
                endpoint: candidate.endpoint,
                knownEndpoints: pairing.endpoints,
                network: network(candidate.endpoint.address)
            )
            switch pairing.trust.decision(for: attempt) {
            case .allowed: return .possible
            // The kernel may not have reached it for long. Connecting changes that, and the policy is checked again
            // before a token is sent.
            case .moved(.unknownNetwork): return .possible
            case .moved(let reason): return .moved(reason)
            case .changedLeaf, .refused: return .refused
            }
        }
    }

    /// Indicates whether an endpoint has a port and path of the pairing, at whatever address.
    private func isItsPlace(_ endpoint: Endpoint) -> Bool { pairing.isPlace(endpoint, telling: nil) }

    /// Returns the verdict on another port or path than that of the pairing, of a gateway whose dialect has no question
    /// for who it is: a certificate proves a front, behind which each place may be a gateway of its own. Its own place is
    /// a part of the proof until it has been asked and nothing answers there, not even its front; and after that until
    /// one place alone is left that shows its certificate, and is not that of another pairing.
    private func verdict(onOtherPlace candidate: Candidate) -> Verdict {
        let all = rows.flatMap(\.paths)
        let paths = all.filter { $0.outcome?.identity?.dialect == pairing.dialect }
        guard paths.contains(where: { $0.endpoint == candidate.endpoint }), !isOfAnother(candidate.endpoint) else {
            return .refused
        }
        let own = all.filter { isItsPlace($0.endpoint) }
        guard !own.isEmpty, own.allSatisfy(Self.isSilent) else { return .refused }
        let isAlone = paths.allSatisfy { path in
            let isThere =
                path.endpoint.port == candidate.endpoint.port
                && path.endpoint.resource == candidate.endpoint.resource
            return isThere || isItsPlace(path.endpoint) || Self.isDead(path)
                || Self.shownLeaf(path) != candidate.leaf
        }
        return isAlone ? .sure : .moved(.port)
    }

    /// Indicates whether it is known that nothing is there on a path: neither the gateway, nor its front alone, nor
    /// something else. A front may also wait for a gateway that hangs, so that silence alone says nothing.
    private static func isSilent(_ path: GatewayPath) -> Bool {
        switch (path.silence, path.outcome) {
        case (.refused, _), (.unreachable, _): true
        case (nil, .nothing(.refused)), (nil, .nothing(.unreachable)): true
        default: false
        }
    }

    /// Indicates whether the distance permits sending a token there unencrypted: an endpoint that is known only from a
    /// DNS zone gets none, unless the user has consented to it.
    static func mayBePlain(_ endpoint: Endpoint, _ reach: Reach, _ pairing: StoredPairing) -> Bool {
        reach == .local || pairing.endpoints.contains(endpoint)
    }

    /// Returns the certificate that an endpoint showed when it was last probed.
    static func shownLeaf(_ path: GatewayPath) -> LeafFingerprint? {
        switch path.outcome {
        case .gateway(let identity): identity.leaf
        case .nothing(.wrongLeaf(let found)): found
        case .nothing, .somethingElse, nil: nil
        }
    }

    /// Indicates whether one of the paths answers, as far as the map knows.
    private static func hasLivePath(_ ways: [SessionPath], _ paths: [Endpoint: GatewayPath]) -> Bool {
        ways.contains { path in path.endpoint.flatMap { paths[$0] }?.liveness == .answering }
    }

    /// Indicates whether nothing answers on a path: a probe has found nothing, or it has not answered for long.
    private static func isDead(_ path: GatewayPath) -> Bool {
        if case .nothing = path.outcome, path.liveness != .answering { return true }
        return path.liveness == .gone
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
            let endpoint = Endpoint(address: address, port: url.port, resource: url.resource)
            return [SessionPath(place: .endpoint(endpoint), reach: .remote, policy: pairing.trust)]
        }
        let place = SessionPath.Place.host(url.host, port: url.port)
        return [
            SessionPath(place: place, reach: .remote, resource: url.resource, policy: .certified(host: url.host))
        ]
    }
}
