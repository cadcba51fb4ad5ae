internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import PairingStore

/// The choice of the ways to a paired gateway: out of what was kept of it, and of the rows of the map that may be it.
/// A value: it asks nobody.
///
/// On this network first: what its own row leads to, in the order of the map, then where it was proved last, then who else
/// claims its fingerprint, where a certificate tells who is who. The remote URL of the pairing comes after these.
struct PathChoice {
    /// The most ways on this network that are tried at once.
    static let mostLocal = 8

    /// The pairing.
    let pairing: StoredPairing

    /// The identifier of its own row.
    let rowID: GatewayID?

    /// The row of the gateway, and those that claim its fingerprint.
    let rows: [Gateway]

    /// The network that leads to an address now.
    let network: (IPAddress) -> NetworkObservation?

    init(
        _ pairing: StoredPairing,
        rowID: GatewayID?,
        rows: [Gateway],
        network: @escaping (IPAddress) -> NetworkObservation?
    ) {
        self.pairing = pairing
        self.rowID = rowID
        self.rows = rows.filter { Self.concerns($0, pairing, rowID: rowID) }
        self.network = network
    }

    /// Indicates whether a row is that of a paired gateway, or claims its fingerprint.
    static func concerns(_ row: Gateway, _ pairing: StoredPairing, rowID: GatewayID?) -> Bool {
        if row.id == rowID { return true }
        guard let fingerprint = pairing.fingerprint else { return false }
        return row.fingerprint == fingerprint
    }

    /// The ways as they are now.
    var offer: PathOffer {
        var offer = PathOffer(remote: remote, provedLast: pairing.endpoints.first)
        var moved: MoveReason?
        var foreignLeaf: LeafFingerprint?
        var showsPin = false
        for candidate in candidates {
            switch verdict(on: candidate) {
            case .possible(let isSure):
                if isSure { showsPin = true }
                guard offer.local.count < Self.mostLocal else { continue }
                offer.local.append(
                    SessionPath(
                        place: .endpoint(candidate.endpoint),
                        reach: candidate.reach,
                        resource: pairing.resource,
                        policy: pairing.trust
                    )
                )
            case .foreign(let leaf):
                if candidate.endpoint == pairing.endpoints.first { foreignLeaf = leaf }
            case .moved(let reason):
                // That it has another address tells more than that the old one is not known.
                if moved == nil || reason == .address { moved = reason }
            case .refused:
                continue
            }
        }
        // A path that shows the pinned leaf goes first: who else claims the fingerprint may hold up the others.
        offer.local = offer.local.filter(showsPinnedLeaf) + offer.local.filter { !showsPinnedLeaf($0) }
        if let foreignLeaf, !showsPin { offer.obstacle = .changedLeaf(found: foreignLeaf) }
        if let moved, !hasLivePath(offer.local) { offer.obstacle = .moved(moved) }
        return offer
    }

    // MARK: Candidates

    private struct Candidate {
        let endpoint: Endpoint
        let reach: Reach

        /// The certificate that it has shown to whoever asked last.
        let leaf: LeafFingerprint?
    }

    private enum Verdict {
        case possible(isSure: Bool)
        case foreign(LeafFingerprint)
        case moved(MoveReason)
        case refused
    }

    private var candidates: [Candidate] {
        var found: [Candidate] = []
        var seen: Set<Endpoint> = []
        func add(_ endpoint: Endpoint, _ reach: Reach, _ path: GatewayPath?) {
            guard seen.insert(endpoint).inserted else { return }
            found.append(Candidate(endpoint: endpoint, reach: reach, leaf: path.flatMap(Self.shownLeaf)))
        }
        let own = rows.filter { $0.id == rowID }
        let others = rows.filter { $0.id != rowID }
        for path in own.flatMap(\.paths) where !path.contradicts { add(path.endpoint, path.reach, path) }
        for endpoint in pairing.endpoints {
            let path = paths[endpoint]
            add(endpoint, path?.reach ?? .local, path)
        }
        for path in others.flatMap(\.paths) { add(path.endpoint, path.reach, path) }
        return found
    }

    private var paths: [Endpoint: GatewayPath] {
        Dictionary(rows.flatMap(\.paths).map { ($0.endpoint, $0) }) { first, _ in first }
    }

    private func verdict(on candidate: Candidate) -> Verdict {
        switch pairing.trust {
        case .pinned(let pin):
            guard let leaf = candidate.leaf else { return .possible(isSure: false) }
            return leaf == pin ? .possible(isSure: true) : .foreign(leaf)
        case .certified:
            return .possible(isSure: false)
        case .sameAddress, .lan:
            let attempt = TrustAttempt(
                shown: .plain,
                endpoint: candidate.endpoint,
                knownEndpoints: pairing.endpoints,
                network: network(candidate.endpoint.address)
            )
            switch pairing.trust.decision(for: attempt) {
            case .allowed: return .possible(isSure: false)
            // The kernel may not have reached it for long. Connecting tells, and before a token is sent this is asked again.
            case .moved(.unknownNetwork): return .possible(isSure: false)
            case .moved(let reason): return .moved(reason)
            case .changedLeaf, .refused: return .refused
            }
        }
    }

    private func showsPinnedLeaf(_ path: SessionPath) -> Bool {
        guard case .pinned(let pin) = pairing.trust, let endpoint = path.endpoint else { return false }
        return paths[endpoint].flatMap(Self.shownLeaf) == pin
    }

    /// The certificate that an endpoint has shown to whoever asked last what it is.
    static func shownLeaf(_ path: GatewayPath) -> LeafFingerprint? {
        switch path.outcome {
        case .gateway(let identity): identity.leaf
        case .nothing(.wrongLeaf(let found)): found
        case .nothing, .somethingElse, nil: nil
        }
    }

    /// Indicates whether one of the ways answers, as far as the map knows.
    private func hasLivePath(_ local: [SessionPath]) -> Bool {
        local.contains { path in path.endpoint.flatMap { paths[$0] }?.liveness == .answering }
    }

    /// The way to the remote URL of the pairing. With a host name its certificate is the proof, since the URL came with the
    /// pairing; with an address it is the pinned one.
    private var remote: [SessionPath] {
        guard let url = pairing.remoteURL.flatMap(GatewayURL.init), url.isSecure else { return [] }
        if let address = url.address {
            guard case .pinned = pairing.trust else { return [] }
            let endpoint = Endpoint(address: address, port: url.port)
            return [
                SessionPath(place: .endpoint(endpoint), reach: .remote, resource: url.resource, policy: pairing.trust)
            ]
        }
        let place = SessionPath.Place.host(url.host, port: url.port)
        return [
            SessionPath(place: place, reach: .remote, resource: url.resource, policy: .certified(host: url.host))
        ]
    }
}
