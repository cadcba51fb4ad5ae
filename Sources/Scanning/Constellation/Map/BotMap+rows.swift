internal import DNSSD
internal import GatewayProtocol

/// The derivation of rows from facts.
extension BotMap {
    /// Refreshes everything that may have changed, and records the changes.
    mutating func refresh() {
        // Removing a row leaves its candidates without one, and the other way round; each step settles more of them.
        while !dirty.candidates.isEmpty || !dirty.rows.isEmpty {
            var index = 0
            while index < dirty.candidates.count {
                let candidate = dirty.candidates[index]
                candidates[candidate].isDirty = false
                refresh(candidate)
                index += 1
            }
            dirty.candidates.removeAll(keepingCapacity: true)
            // In this order, so that the loss of one row is reported before the row that has its contents now. One at a
            // time, since each may mark more candidates.
            guard let row = dirty.rows.first else { continue }
            dirty.rows.removeFirst()
            rows[row].isDirty = false
            refresh(row)
        }
    }

    /// Removes a row.
    mutating func remove(_ row: GatewayID) {
        rows.remove(row)
        dirty.rows.removeAll { $0 == row }
    }

    // MARK: Candidates

    /// Takes a candidate out of the rows that show it.
    mutating func leaveRows(_ candidate: GatewayCandidate, _ former: Candidate) {
        if former.isOwned {
            for endpoint in former.endpoints where endpoints[endpoint].row == nil {
                for other in endpoints[endpoint].candidates { touch(other) }
            }
            if let fingerprint = former.fingerprint { touchClaimants(of: fingerprint) }
        }
        for endpoint in former.endpoints { if let row = endpoints[endpoint].row { touch(row) } }
        if let home = homes[candidate] { touch(home) }
        hideOwnRow(of: candidate, into: nil)
    }

    private mutating func refresh(_ candidate: GatewayCandidate) {
        let owner = owner(of: candidate)
        let isOwned = owner != nil
        if isOwned != candidates[candidate].isOwned {
            // The first of the candidates without a row may be another one now.
            for endpoint in candidates[candidate].endpoints where endpoints[endpoint].row == nil {
                for other in endpoints[endpoint].candidates where other != candidate { touch(other) }
            }
            setOwned(isOwned, candidate)
        }
        for endpoint in candidates[candidate].endpoints { if let row = endpoints[endpoint].row { touch(row) } }
        if let home = homes[candidate] { touch(home) }
        guard let owner else {
            showOwnRow(of: candidate)
            return
        }
        touch(owner)
        hideOwnRow(of: candidate, into: owner)
    }

    /// Returns the row of a gateway that has answered to which a candidate belongs: while that is alive, the row to
    /// which it led when the gateway answered, wherever its records lead now; else the oldest of those to which it
    /// leads; else, for one address of a manual entry, that of a gateway which answers at another one.
    func owner(of candidate: GatewayCandidate) -> GatewayID? {
        if let home = homes[candidate], isAlive(home) { return home }
        if let oldest = oldestRow(at: candidates[candidate].endpoints) { return oldest }
        if let home = homes[candidate] { return home }
        // The row of a gateway that is named after this candidate, such as a paired one that is not present.
        if let row = rows.known(.candidate(candidate)), rows[row].candidate == nil { return row }
        return oldestRow(at: siblings(of: candidate).flatMap { candidates[$0].endpoints })
    }

    /// Returns the oldest of the rows of some endpoints.
    private func oldestRow(at places: [Endpoint]) -> GatewayID? {
        var oldest: GatewayID?
        for endpoint in places {
            guard let row = endpoints[endpoint].row else { continue }
            if let known = oldest, rows[known].history.bornAt <= rows[row].history.bornAt { continue }
            oldest = row
        }
        return oldest
    }

    /// Shows the row of a candidate behind which no gateway has answered, unless other candidates' rows show all its
    /// endpoints. The addresses of one manual entry have one row, that of the first.
    private mutating func showOwnRow(of candidate: GatewayCandidate) {
        guard !candidates[candidate].isLeftOut else {
            hideOwnRow(of: candidate, into: nil)
            return
        }
        let group = withoutRow(candidate)
        guard group.first == candidate else {
            hideOwnRow(of: candidate, into: group.first.map { .candidate($0) })
            return
        }
        var leadsSomewhere = false
        var own: [Endpoint] = []
        for member in group {
            for endpoint in candidates[member].endpoints {
                leadsSomewhere = true
                guard endpoints[endpoint].row == nil, let first = firstWithoutRow(at: endpoint) else { continue }
                if group.contains(first) { own.append(endpoint) }
            }
        }
        guard !leadsSomewhere || !own.isEmpty else {
            hideOwnRow(of: candidate, into: nil)
            return
        }
        let id = GatewayID.candidate(candidate)
        let row = rows.insert(id)
        rows[row].candidate = candidate
        if !rows[row].isShown, isHeld(candidate) { return }
        let gateway = makeRow(row, candidate, own)
        show(row, gateway)
    }

    /// Returns a candidate and those of the same manual entry behind which no gateway has answered, sorted.
    private func withoutRow(_ candidate: GatewayCandidate) -> [GatewayCandidate] {
        let siblings = siblings(of: candidate)
        guard siblings.count > 1 else { return [candidate] }
        return siblings.filter { !candidates[$0].isOwned }.sorted()
    }

    private mutating func hideOwnRow(of candidate: GatewayCandidate, into id: GatewayID?) {
        guard let row = rows.known(.candidate(candidate)), rows[row].candidate == candidate else {
            return
        }
        // The row is now that of a gateway that has answered.
        guard rows[row].members.isEmpty else {
            rows[row].candidate = nil
            return
        }
        rows[row].candidate = nil
        if isPaired(row) {
            touch(row)
        } else {
            hide(row, into: id == row ? nil : id)
            remove(row)
        }
    }

    /// Returns the first of the candidates that lead to an endpoint and behind which no gateway has answered: its row
    /// shows the endpoint.
    func firstWithoutRow(at endpoint: Endpoint) -> GatewayCandidate? {
        endpoints[endpoint].candidates.filter { !candidates[$0].isOwned }.min()
    }

    /// Decides whether to hold back a claimant of an answering row's fingerprint until that row has answered again or
    /// stopped.
    private mutating func isHeld(_ candidate: GatewayCandidate) -> Bool {
        guard let fingerprint = candidates[candidate].fingerprint else { return false }
        let claimedAt = candidates[candidate].claimedAt
        guard holds(fingerprint, since: claimedAt, but: nil) else { return false }
        changeClaims(on: fingerprint) { claims in
            if !claims.held.contains(candidate) { claims.held.append(candidate) }
        }
        return true
    }

    private func holds(_ fingerprint: GatewayFingerprint, since time: UInt64, but own: GatewayID?) -> Bool {
        // Otherwise there is no other answer to wait for.
        guard asksRepeatedly else { return false }
        return (claims[fingerprint]?.rows ?? []).contains { row in
            row != own && rows[row].history.isSilent(since: time) && liveness(of: row) == .answering
        }
    }

    /// Returns the liveness of a row: the best of its members', whether they agree with it or not.
    func liveness(of row: GatewayID) -> Liveness? {
        var best: Liveness?
        for member in rows[row].members {
            if let liveness = endpoints[member].liveness { best = min(best ?? liveness, liveness) }
        }
        return best
    }

    // MARK: Gateways that have answered

    private mutating func refresh(_ row: GatewayID) {
        guard rows[row].candidate == nil else {
            if let candidate = rows[row].candidate { showOwnRow(of: candidate) }
            return
        }
        let (before, now) = (rows[row].liveness, liveness(of: row))
        rows[row].liveness = now
        let isAlive = now?.isAlive == true
        if isAlive != (before?.isAlive == true) {
            touchRowClaimed(by: row)
            // They belong to the row while it is alive, wherever they lead.
            for key in rows[row].instances { if let candidate = candidates.known(key) { touch(candidate) } }
            // Candidates that claim its fingerprint without having answered dispute it only while it is alive.
            if let fingerprint = rows[row].fingerprint { touchClaimants(of: fingerprint) }
        }
        // Claimants that waited for its next answer need not wait any longer: it has stopped answering, whatever else is
        // in the row.
        if before == .answering, now != .answering, let fingerprint = rows[row].fingerprint {
            release(claimsOn: fingerprint)
        }
        guard !rows[row].members.isEmpty || isPaired(row) else {
            hide(row, into: nil)
            var keys = rows[row].instances
            if case .candidate(let key) = row.form { keys.append(key) }
            dissolve(row)
            for key in keys { if let candidate = candidates.known(key) { touch(candidate) } }
            return
        }
        let owned = ownedCandidates(of: row)
        let gateway = makeRow(row, owned)
        guard !gateway.paths.isEmpty || isPaired(row) else {
            noteSilence(of: row)
            hide(row, into: nil)
            return
        }
        if !rows[row].isShown, !isProved(row), let fingerprint = rows[row].fingerprint,
            holds(fingerprint, since: rows[row].history.bornAt, but: row)
        {
            changeClaims(on: fingerprint) { claims in
                if !claims.heldRows.contains(row) { claims.heldRows.append(row) }
            }
            return
        }
        if !rows[row].isShown, waits(row) { return }
        // Another gateway may be there now: a record alone does not bring this row back.
        let liveness = Liveness.best(gateway.paths.lazy.filter { !$0.contradicts }.map(\.liveness))
        if !rows[row].isShown, rows[row].isAwaited, liveness == .gone, !isPaired(row) { return }
        if !isAlive { releaseSuccessors(of: row) }
        if rows[row].isShown, isAwaitedBySuccessor(row) { return }
        show(row, gateway)
    }

    /// Returns the candidates that belong to a row, sorted: those that lead to a member and belong to no other row, and
    /// those that belong to it since they once led to a member. If there are none, returns all that lead to a member.
    private func ownedCandidates(of row: GatewayID) -> [GatewayCandidate] {
        var owned: [GatewayCandidate] = []
        var foreign: [GatewayCandidate] = []
        for member in rows[row].members {
            for candidate in endpoints[member].candidates where !owned.contains(candidate) {
                if owner(of: candidate) == row { owned.append(candidate) } else { foreign.append(candidate) }
                for sibling in siblings(of: candidate) where !owned.contains(sibling) && owner(of: sibling) == row {
                    owned.append(sibling)
                }
            }
        }
        for key in rows[row].instances {
            guard let candidate = candidates.known(key), !owned.contains(candidate) else { continue }
            if owner(of: candidate) == row { owned.append(candidate) }
        }
        if case .candidate(let key) = row.form, let candidate = candidates.known(key),
            !owned.contains(candidate), owner(of: candidate) == row
        {
            owned.append(candidate)
        }
        if owned.isEmpty {
            for candidate in foreign where !owned.contains(candidate) { owned.append(candidate) }
        }
        return owned.sorted()
    }

    // MARK: Showing

    /// Updates the liveness in a row that is about to be hidden, since its members no longer answer.
    private mutating func noteSilence(of row: GatewayID) {
        guard rows[row].isShown else { return }
        for index in rows[row].gateway.paths.indices {
            guard let member = endpoints.known(rows[row].gateway.paths[index].endpoint) else { continue }
            _ = rows[row].gateway.paths[index].update(endpoints[member].liveness, endpoints[member].roundTrip)
        }
    }

    private mutating func show(_ row: GatewayID, _ made: Gateway) {
        let new = aliased(made, row)
        guard rows[row].isShown else {
            demandPlaces(in: new, since: nil)
            countGateways(from: nil, to: new)
            rows[row].isShown = true
            rows[row].isAwaited = false
            rows[row].gateway = new
            news.report(.found(new))
            return
        }
        let aspects = new.differences(from: rows[row].gateway)
        guard !aspects.isEmpty else { return }
        demandPlaces(in: new, since: rows[row].gateway)
        countGateways(from: rows[row].gateway, to: new)
        news.report(.changed(new, aspects.set), former: rows[row].gateway)
        rows[row].gateway = new
    }

    /// Counts the rows anew that are gateways, after one of them has changed.
    mutating func countGateways(from former: Gateway?, to new: Gateway?) {
        let (was, becomes) = (former?.hasAnswered == true, new?.hasAnswered == true)
        if was != becomes { gatewayCount += becomes ? 1 : -1 }
    }

    private mutating func hide(_ row: GatewayID, into id: GatewayID?) {
        guard rows[row].isShown else { return }
        rows[row].isShown = false
        rows[row].isAwaited = true
        countGateways(from: rows[row].gateway, to: nil)
        for other in aliases.note(nil, row) where rows[other].isShown { touch(other) }
        if let id {
            news.report(.joined(rows[row].gateway, into: id))
        } else {
            news.report(.lost(rows[row].gateway))
        }
        rows[row].gateway = .nobody
        releaseSuccessors(of: row)
    }
}
