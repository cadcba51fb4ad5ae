internal import DNSSD

/// The candidates that lead to endpoints.
extension BotMap {
    /// Takes in a service that was found, or that has changed.
    mutating func found(_ service: DiscoveredService) {
        let key = GatewayCandidate.service(service.instance)
        let wanted = Candidate.endpoints(of: service, limit: limits.endpointsPerService)
        guard let candidate = candidates.known(key) else {
            add(key, Candidate(service), wanted)
            return
        }
        guard candidates[candidate].service != service else { return }
        let (claimed, former) = (candidates[candidate].fingerprint, candidates[candidate].advertised)
        candidates[candidate].see(service)
        news.note(EventNews.Service(former: former, new: candidates[candidate].advertised))
        let isNewClaim = candidates[candidate].fingerprint != claimed
        if isNewClaim {
            if let claimed { withdrawClaim(of: candidate, to: claimed) }
            claim(candidate)
        }
        relink(candidate, to: wanted)
        if isNewClaim { demandAnswers(toClaimOf: candidate) }
        // The row of another candidate may show an endpoint to which this one leads, and its records with it.
        for endpoint in candidates[candidate].endpoints where endpoints[endpoint].row == nil {
            if let first = firstWithoutRow(at: endpoint) { touch(first) }
        }
    }

    /// Takes in an endpoint that was entered by hand, or found by a source.
    mutating func entered(_ endpoint: Endpoint, _ reach: Reach, entry: String?, _ source: PlaceSource? = nil) {
        guard let candidate = candidates.known(.endpoint(endpoint)) else {
            add(.endpoint(endpoint), Candidate(endpoint, reach: reach, entry: entry, source), [endpoint])
            return
        }
        guard
            candidates[candidate].reach != reach || candidates[candidate].entry != entry
                || candidates[candidate].source != source
        else { return }
        candidates[candidate].reach = reach
        candidates[candidate].source = source
        touch(candidate)
        forgetEntry(of: candidate)
        candidates[candidate].entry = entry
        if let entry { entries[entry, default: []].append(candidate) }
        // Those of its former entry are marked above.
        for sibling in siblings(of: candidate) { touch(sibling) }
        relink(candidate, to: [endpoint])
    }

    private mutating func add(_ candidate: GatewayCandidate, _ new: Candidate, _ wanted: [Endpoint]) {
        guard hasRoom(for: candidate) else { return }
        candidates[candidate] = new
        if new.advertised != nil { news.note(EventNews.Service(former: nil, new: new.advertised)) }
        if let entry = new.entry { entries[entry, default: []].append(candidate) }
        if let endpoint = candidate.namedEndpoint { named[endpoint.unnamed, default: []].insert(endpoint) }
        claim(candidate)
        relink(candidate, to: wanted)
        demandAnswers(toClaimOf: candidate)
    }

    /// Returns the candidates of the manual entry to which a candidate belongs: one for each of its addresses.
    func siblings(of candidate: GatewayCandidate) -> [GatewayCandidate] {
        candidates[candidate].entry.flatMap { entries[$0] } ?? []
    }

    private mutating func forgetEntry(of candidate: GatewayCandidate) {
        guard let entry = candidates[candidate].entry else { return }
        entries[entry]?.removeAll { $0 == candidate }
        if entries[entry]?.isEmpty == true { entries[entry] = nil }
    }

    mutating func hasRoom(for key: GatewayCandidate) -> Bool {
        guard candidates.count >= limits.candidates else { return true }
        if !isFull { news.report(.tooManyGateways(key, limit: limits.candidates)) }
        isFull = true
        return false
    }

    /// Forgets a candidate. Endpoints that it led to stay while they answer.
    ///
    /// - Parameter reason: The reason for which it is lost, if it is a service.
    mutating func remove(_ candidate: GatewayCandidate, _ reason: LossReason = .withdrawn) {
        for sibling in siblings(of: candidate) where sibling != candidate { touch(sibling) }
        if let former = candidates[candidate].advertised {
            news.note(EventNews.Service(former: former, new: nil, reason: reason))
        }
        if let claimed = candidates[candidate].fingerprint { withdrawClaim(of: candidate, to: claimed) }
        forgetEntry(of: candidate)
        if let endpoint = candidate.namedEndpoint {
            named[endpoint.unnamed]?.remove(endpoint)
            if named[endpoint.unnamed]?.isEmpty == true { named[endpoint.unnamed] = nil }
        }
        for endpoint in candidates[candidate].endpoints { unlink(endpoint, from: candidate) }
        let former = candidates[candidate]
        candidates.remove(candidate)
        dirty.candidates.removeAll { $0 == candidate }
        leaveRows(candidate, former)
        isFull = false
    }

    // MARK: Links

    /// Makes a candidate lead to these endpoints, and to no others.
    private mutating func relink(_ candidate: GatewayCandidate, to wanted: [Endpoint]) {
        let before = candidates[candidate].endpoints
        for endpoint in before where !wanted.contains(endpoint) { unlink(endpoint, from: candidate) }
        candidates[candidate].endpoints = wanted.compactMap { link($0, to: candidate) }
        candidates[candidate].isLeftOut = !wanted.isEmpty && candidates[candidate].endpoints.isEmpty
        for endpoint in candidates[candidate].endpoints { mergeOneMachine(at: endpoint) }
        touch(candidate)
        // It counts as a claimant as soon as its endpoints have been asked.
        if let fingerprint = candidates[candidate].fingerprint, candidates[candidate].endpoints != before {
            touchClaimants(of: fingerprint)
        }
    }

    /// Records that a candidate leads to an endpoint.
    ///
    /// - Returns: The endpoint; `nil` when too many candidates lead there.
    private mutating func link(_ key: Endpoint, to candidate: GatewayCandidate) -> Endpoint? {
        let endpoint = endpoints.insert(key)
        if !endpoints[endpoint].candidates.contains(candidate) {
            guard hasRoom(for: candidate, at: endpoint) else { return nil }
            endpoints[endpoint].candidates.append(candidate)
            touchOthers(at: endpoint, than: candidate)
            touchRowsWaiting(for: endpoint)
        }
        settleReach(of: endpoint)
        return endpoint
    }

    /// Decides whether one more candidate can lead to an endpoint. Manual entries, and services that the address itself
    /// announces, push out others.
    private mutating func hasRoom(for candidate: GatewayCandidate, at endpoint: Endpoint) -> Bool {
        guard endpoints[endpoint].candidates.count >= limits.candidatesPerEndpoint else { return true }
        let address = endpoint.address
        if candidates[candidate].isFirstHand(at: address),
            let pushed = endpoints[endpoint].candidates.last(where: { !candidates[$0].isFirstHand(at: address) })
        {
            candidates[pushed].endpoints.removeAll { $0 == endpoint }
            candidates[pushed].isLeftOut = candidates[pushed].endpoints.isEmpty
            endpoints[endpoint].candidates.removeAll { $0 == pushed }
            touch(pushed)
            if let fingerprint = candidates[pushed].fingerprint { touchClaimants(of: fingerprint) }
            noteLeftOut(pushed, at: endpoint)
            return true
        }
        noteLeftOut(candidate, at: endpoint)
        if !endpoints[endpoint].isCrowded {
            news.report(.tooManyCandidates(endpoint, limit: limits.candidatesPerEndpoint))
            endpoints[endpoint].isCrowded = true
        }
        return false
    }

    /// Records that there was no room for a candidate at an endpoint: it is not reported again while its records stay
    /// the same.
    private mutating func noteLeftOut(_ candidate: GatewayCandidate, at endpoint: Endpoint) {
        let waiting = leftOut[endpoint] ?? []
        guard waiting.count < limits.candidatesPerEndpoint, !waiting.contains(candidate) else { return }
        leftOut[endpoint, default: []].append(candidate)
    }

    /// Readmits the first candidate for which there was no room at an endpoint, and which still leads there.
    private mutating func readmit(at endpoint: Endpoint) {
        while let candidate = leftOut[endpoint]?.first {
            leftOut[endpoint]?.removeFirst()
            if leftOut[endpoint]?.isEmpty == true { leftOut[endpoint] = nil }
            guard candidates.known(candidate) != nil else { continue }
            let wanted =
                candidates[candidate].service
                .map { Candidate.endpoints(of: $0, limit: limits.endpointsPerService) } ?? [endpoint]
            guard wanted.contains(endpoint), !candidates[candidate].endpoints.contains(endpoint) else { continue }
            relink(candidate, to: wanted)
            return
        }
    }

    /// Records that a candidate no longer leads to an endpoint.
    private mutating func unlink(_ endpoint: Endpoint, from candidate: GatewayCandidate) {
        endpoints[endpoint].candidates.removeAll { $0 == candidate }
        // An array that is empty keeps its memory. Very many endpoints may be remembered.
        if endpoints[endpoint].candidates.isEmpty { endpoints[endpoint].candidates = [] }
        if endpoints[endpoint].row != nil { demand(.withdrawn, at: endpoint) }
        endpoints[endpoint].isCrowded = false
        settleReach(of: endpoint)
        touchOthers(at: endpoint, than: candidate)
        touchRowsWaiting(for: endpoint)
        if !leftOut.isEmpty { readmit(at: endpoint) }
        if endpoints[endpoint].candidates.isEmpty { rememberWithoutCandidate(endpoint) }
    }

    private mutating func settleReach(of endpoint: Endpoint) {
        guard !endpoints[endpoint].candidates.isEmpty else { return }
        let isLocal = endpoints[endpoint].candidates.contains { candidates[$0].reach == .local }
        endpoints[endpoint].reach = isLocal ? .local : .remote
    }

    /// Marks everything that shows an endpoint for refreshing, except one candidate.
    private mutating func touchOthers(at endpoint: Endpoint, than candidate: GatewayCandidate) {
        if let row = endpoints[endpoint].row {
            touch(row)
        } else {
            for other in endpoints[endpoint].candidates where other != candidate { touch(other) }
        }
    }

    // MARK: Marking for refreshing

    /// Marks a candidate, and the row that it belongs to, for refreshing; and with one address of a manual entry, all.
    mutating func touch(_ candidate: GatewayCandidate) {
        guard !candidates[candidate].isDirty else { return }
        candidates[candidate].isDirty = true
        dirty.candidates.append(candidate)
        for sibling in siblings(of: candidate) { touch(sibling) }
    }

    /// Marks a row for refreshing.
    mutating func touch(_ row: GatewayID) {
        guard !rows[row].isDirty else { return }
        rows[row].isDirty = true
        dirty.rows.append(row)
    }

    /// Marks everything that shows an endpoint for refreshing.
    mutating func touch(_ endpoint: Endpoint) {
        if let row = endpoints[endpoint].row { touch(row) }
        for candidate in endpoints[endpoint].candidates { touch(candidate) }
    }
}

extension GatewayCandidate {
    /// The endpoint that the user named by a host name, if it is such a one.
    fileprivate var namedEndpoint: Endpoint? {
        if case .endpoint(let endpoint) = self, endpoint.serverName != nil { endpoint } else { nil }
    }
}

extension Candidate {
    /// Indicates whether no other host can have made it up: the user entered it, or the address itself announced it.
    func isFirstHand(at address: IPAddress) -> Bool {
        guard let service else { return true }
        return service.sortedSightings.contains { $0.heardFrom.contains(address) }
    }
}
