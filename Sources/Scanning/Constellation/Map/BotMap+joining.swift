internal import DNSSD
internal import GatewayProtocol

/// The grouping of endpoints into gateways. It is decided when an endpoint first answers with its current identity.
extension BotMap {
    /// Adds an endpoint that has answered to the row to which it belongs.
    ///
    /// - Parameter former: The row of which it was a member before.
    mutating func place(
        _ endpoint: Endpoint,
        _ identity: GatewayIdentity,
        after former: GatewayID? = nil
    ) {
        let recognized = recognizedRow(endpoint, identity, after: former)
        let row = recognized ?? join(endpoint, identity, after: former) ?? mint(endpoint, identity)
        if recognized != nil { endCandidateRow(row) }
        if rows[row].members.isEmpty { rows[row].history.beginAgain() }
        endpoints[endpoint].row = row
        endpoints[endpoint].seniority = sequence
        rows[row].members.append(endpoint)
        if let leaf = identity.leaf {
            rows[row].history.hasShownLeaf = true
            if leaves[leaf]?.contains(row) != true { leaves[leaf, default: []].append(row) }
        }
        if let fingerprint = identity.fingerprint, rows[row].fingerprint == nil { name(row, fingerprint) }
        for candidate in endpoints[endpoint].candidates { settle(candidate, at: row) }
        touch(endpoint)
        settleProof(of: endpoint)
    }

    /// Makes the row of a candidate that of a gateway which has answered, and owns the candidate from now on.
    mutating func endCandidateRow(_ row: GatewayID) {
        guard let candidate = rows[row].candidate else { return }
        rows[row].candidate = nil
        touch(candidate)
    }

    private mutating func name(_ row: GatewayID, _ fingerprint: GatewayFingerprint) {
        rows[row].fingerprint = fingerprint
        changeClaims(on: fingerprint) { $0.rows.append(row) }
        touchClaimants(of: fingerprint)
        // The first one is flagged now; after a third one nothing changes for it.
        if !asksRepeatedly, let known = claims[fingerprint]?.rows, known.count == 2 { touch(known[0]) }
    }

    /// Records the row to which a candidate belongs from now on, unless it belongs to another one that is shown.
    private mutating func settle(_ candidate: GatewayCandidate, at row: GatewayID) {
        if let home = homes[candidate], home != row {
            guard !rows[home].isShown else { return }
            rows[home].instances.removeAll { $0 == candidate }
            homes[candidate] = nil
        }
        guard !rows[row].instances.contains(candidate), rows[row].instances.count < limits.candidatesPerEndpoint else {
            return
        }
        homes[candidate] = row
        rows[row].instances.append(candidate)
    }

    /// Returns the row that an endpoint joins with its first answer; of several, the oldest. These belong together:
    ///
    /// 1. Endpoints that are proved to be the gateway of the same fingerprint.
    /// 2. Endpoints with the same leaf at the same port and path, and without two different fingerprints or dialects: a
    ///    leaf is that of a front, behind which each port and each path may be a gateway of its own.
    /// 3. Endpoints that answer with the same fingerprint and share one service instance on whatever link, one SRV
    ///    host, one manual entry, or a port of this host; or whose row has stopped answering, so that the gateway has
    ///    moved; or that were one gateway before.
    /// 4. Endpoints without fingerprint and leaf that share one service instance or manual entry, or were one gateway
    ///    before, and speak the same dialect.
    /// 5. Endpoints that differ in the host name alone by which the user named them, and answer with the same fingerprint.
    ///    Without one, the endpoint of a service and the one that the user has named, if by one name only, which answer in
    ///    the same dialect without leaf, or, at whatever address, with the same: a front, behind which each name may be a
    ///    gateway of its own, is hardly advertised.
    func join(
        _ endpoint: Endpoint,
        _ identity: GatewayIdentity,
        after former: GatewayID?
    ) -> GatewayID? {
        var found: [GatewayID] = []
        let successors = successors(of: former)
        let namesakes = rows(namedOtherwiseThan: endpoint)
        if let leaf = identity.leaf {
            found += (leaves[leaf] ?? []).filter {
                agree($0, identity) && (shareSite(endpoint, $0) || isNamed(endpoint, or: $0, showing: leaf))
            }
        }
        if let fingerprint = identity.fingerprint {
            let rivals = (claims[fingerprint]?.rows ?? []).filter { !rows[$0].members.isEmpty }
            if endpoints[endpoint].proof(of: identity).isConclusive { found += rivals.filter { isProved($0) } }
            if found.isEmpty {
                found = rivals.filter { row in
                    shareCandidate(endpoint, row) || shareHost(endpoint, row) || areOneMachine(endpoint, row)
                        || namesakes.contains(row) || !isAlive(row) || successors.contains(row)
                }
            }
        } else if identity.leaf == nil {
            var rivals = successors
            for row in rowsSharingCandidates(with: endpoint)
                + namesakes.filter({ isNamed(endpoint, or: $0) })
            where !rivals.contains(row) { rivals.append(row) }
            found = rivals.filter { row in
                rows[row].fingerprint == nil
                    && rows[row].members.allSatisfy { member in
                        let other = endpoints[member].outcome?.identity
                        return other?.leaf == nil && other?.dialect == identity.dialect
                    }
            }
        }
        return found.min { rows[$0].history.bornAt < rows[$1].history.bornAt } ?? absentRow(endpoint, identity)
    }

    /// Returns the row of a paired gateway that is not present, if this endpoint may be that gateway.
    private func absentRow(_ endpoint: Endpoint, _ identity: GatewayIdentity) -> GatewayID? {
        guard let row = rows.known(wantedID(endpoint, identity)) else { return nil }
        return rows[row].members.isEmpty && rows[row].candidate == nil ? row : nil
    }

    /// Indicates whether no member answers with another fingerprint or in another dialect.
    func agree(_ row: GatewayID, _ identity: GatewayIdentity) -> Bool {
        rows[row].members.allSatisfy { member in
            guard let other = endpoints[member].outcome?.identity, other.dialect == identity.dialect else {
                return false
            }
            guard let mine = identity.fingerprint, let theirs = other.fingerprint else { return true }
            return mine == theirs
        }
    }

    /// Indicates whether a member of a row has the port and the path of an endpoint, at whatever address.
    private func shareSite(_ endpoint: Endpoint, _ row: GatewayID) -> Bool {
        rows[row].members.contains { $0.isSameSite(as: endpoint) }
    }

    /// Indicates whether a member of a row answers, or has only just stopped.
    func isAlive(_ row: GatewayID) -> Bool {
        liveness(of: row)?.isAlive == true
    }

    // MARK: What two endpoints share

    private func rowsSharingCandidates(with endpoint: Endpoint) -> [GatewayID] {
        endpoints[endpoint].candidates.flatMap { candidate -> [GatewayID] in
            let known = candidates[candidate]
            var found = known.endpoints.compactMap { endpoints[$0].row }
            if let home = homes[candidate] { found.append(home) }
            for other in known.entry.flatMap({ entries[$0] }) ?? [] {
                found += candidates[other].endpoints.compactMap { endpoints[$0].row }
            }
            return found
        }
    }

    /// Indicates whether one service instance or manual entry leads, or led, both to an endpoint and to a member of a
    /// row.
    private func shareCandidate(_ endpoint: Endpoint, _ row: GatewayID) -> Bool {
        rowsSharingCandidates(with: endpoint).contains(row)
    }

    /// Indicates whether services with one SRV host lead both to an endpoint and to a member of a row.
    private func shareHost(_ endpoint: Endpoint, _ row: GatewayID) -> Bool {
        let hosts = hosts(of: endpoint)
        return !hosts.isEmpty && rows[row].members.contains { !hosts.isDisjoint(with: self.hosts(of: $0)) }
    }

    private func hosts(of endpoint: Endpoint) -> Set<TargetHost> {
        var hosts: Set<TargetHost> = []
        for candidate in endpoints[endpoint].candidates {
            for sighting in candidates[candidate].service?.sortedSightings ?? [] {
                if let host = TargetHost(sighting) { hosts.insert(host) }
            }
        }
        return hosts
    }

    /// Indicates whether this host's kernel knows that an endpoint and a member of a row are one machine: this host
    /// with the same port, or a neighbour to which one service instance or SRV host leads.
    func areOneMachine(_ endpoint: Endpoint, _ row: GatewayID) -> Bool {
        guard let machine = endpoints[endpoint].machine else { return false }
        return rows[row].members.contains { member in
            guard member != endpoint, endpoints[member].machine == machine else { return false }
            switch machine {
            case .thisHost:
                // Whatever name the user has given it: both tell one fingerprint.
                return member.hasPortAndPath(of: endpoint)
            case .neighbour: return shareCandidate(endpoint, row) || shareHost(endpoint, row)
            }
        }
    }

    // MARK: New rows

    /// Returns the identifier that a gateway should have: its fingerprint, else its first candidate, else the endpoint.
    private func wantedID(_ endpoint: Endpoint, _ identity: GatewayIdentity) -> GatewayID {
        if let fingerprint = identity.fingerprint { return .fingerprint(fingerprint) }
        return .candidate(firstCandidate(of: endpoint) ?? .endpoint(endpoint))
    }

    func firstCandidate(of endpoint: Endpoint) -> GatewayCandidate? {
        endpoints[endpoint].candidates.min()
    }

    /// Makes a row for a gateway that is not known yet.
    private mutating func mint(_ endpoint: Endpoint, _ identity: GatewayIdentity) -> GatewayID {
        let place = GatewayCandidate.endpoint(endpoint)
        let candidate = firstCandidate(of: endpoint) ?? place
        var ids = [wantedID(endpoint, identity)]
        if let fingerprint = identity.fingerprint {
            ids += [.claimant(fingerprint, candidate), .claimant(fingerprint, place)]
        } else {
            ids.append(.candidate(place))
        }
        if endpoints[endpoint].proof(of: identity).isConclusive, let holder = rows.known(ids[0]), !isProved(holder) {
            rename(holder)
        }
        let id = ids.first { isFree($0) } ?? vacate(ids[ids.count - 1], for: identity)
        let row = rows.insert(id)
        rows[row].candidate = nil
        rows[row].history.begin(in: sequence)
        rows[row].namedBy = firstCandidate(of: endpoint).map { ($0, candidates[$0].name) }
        touch(row)
        return row
    }

    /// Frees the identifier of an endpoint that still names a row whose members are elsewhere now.
    ///
    /// - Returns: That identifier; another one for the endpoint, if that row keeps its own because bots are recorded
    ///   under it.
    private mutating func vacate(_ id: GatewayID, for identity: GatewayIdentity) -> GatewayID {
        if let holder = rows.known(id), records[id] == nil { rename(holder) }
        guard !isFree(id), let place = id.candidate else { return id }
        let mark = identity.leaf?.description ?? identity.dialect.rawValue
        return GatewayFingerprint(mark).map { .claimant($0, place) } ?? id
    }

    /// Indicates whether an identifier is free: no gateway that has answered uses it.
    private func isFree(_ id: GatewayID) -> Bool {
        rows[id].members.isEmpty
    }

    // MARK: Joining rows

    /// Merges two rows that are the gateway of one fingerprint.
    mutating func merge(_ one: GatewayID, _ other: GatewayID, of fingerprint: GatewayFingerprint) {
        let (kept, joined) = keeps(one, before: other, fingerprint) ? (one, other) : (other, one)
        if rows[joined].history.hasShownLeaf { rows[kept].history.hasShownLeaf = true }
        move(joined, to: kept)
        dissolve(joined)
    }

    mutating func move(_ row: GatewayID, to target: GatewayID) {
        for member in rows[row].members {
            endpoints[member].row = target
            touch(member)
            guard let leaf = endpoints[member].outcome?.identity?.leaf else { continue }
            leaves[leaf]?.removeAll { $0 == row }
            if leaves[leaf]?.contains(target) != true { leaves[leaf, default: []].append(target) }
        }
        rows[target].members = (rows[target].members + rows[row].members)
            .sorted { endpoints[$0].seniority < endpoints[$1].seniority }
        for key in rows[row].instances where homes[key] == row {
            homes[key] = target
            rows[target].instances.append(key)
        }
        rows[row].members = []
        rows[row].instances = []
        releaseSuccessors(of: row)
        if rows[row].isShown {
            rows[row].isShown = false
            countGateways(from: rows[row].gateway, to: nil)
            for other in aliases.note(nil, row) where rows[other].isShown { touch(other) }
            news.report(.joined(rows[row].gateway, into: target))
        }
        touch(target)
    }

    /// Removes a row that has no members, and all references to it; the row of a paired gateway itself stays.
    mutating func dissolve(_ row: GatewayID) {
        if let predecessor = rows[row].succession.predecessor.flatMap({ rows.known($0) }) {
            rows[row].succession.predecessor = nil
            touch(predecessor)
        }
        for key in rows[row].instances where homes[key] == row { homes[key] = nil }
        if let fingerprint = rows[row].fingerprint {
            changeClaims(on: fingerprint) { claims in
                claims.rows.removeAll { $0 == row }
                claims.heldRows.removeAll { $0 == row }
            }
            rows[row].isDisputed = false
            release(claimsOn: fingerprint)
            touchClaimants(of: fingerprint)
        }
        rows[row].fingerprint = nil
        rows[row].instances = []
        if isPaired(row) {
            touch(row)
        } else {
            remove(row)
        }
    }
}
