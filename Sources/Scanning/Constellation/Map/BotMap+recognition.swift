internal import DNSSD
internal import GatewayProtocol

/// The recognition of paired gateways by the marks of their pairings, as soon as they answer: no reader sees a paired
/// gateway as a stranger in between.
extension BotMap {
    /// Takes in the marks of a paired gateway; `nil` when it is not paired any more.
    mutating func mark(_ id: GatewayID, _ new: PairedMarks?) {
        let before = marks[id]
        guard marks.set(new, of: id) else { return }
        if let row = rows.known(id) { touch(row) }
        touchRows(sharing: before)
        touchRows(sharing: new)
        for place in before?.endpoints ?? [] where new?.endpoints.contains(place) != true {
            guard let endpoint = endpoints.known(place), endpoints[endpoint].endProofOfAddress() else { continue }
            touch(endpoint)
        }
        if case .leaf(let pin)? = before?.proof, before?.proof != new?.proof {
            // All of them: a place that does not answer now keeps the proof for when it shows the leaf again.
            for endpoint in endpoints.keys.sorted() where !isProof(pin, at: endpoint) {
                if endpoints[endpoint].endProof(ofPin: pin) { touch(endpoint) }
            }
        }
        recognizeAnew(new)
        // Several pairings of one certificate leave open whose an endpoint is: now it may be that of a remaining one.
        if before?.proof != new?.proof { recognizeAnew(before) }
    }

    /// Recognizes the endpoints anew at which a pairing has its places, or that show its certificate.
    private mutating func recognizeAnew(_ known: PairedMarks?) {
        var concerned = (known?.endpoints ?? []).sorted().compactMap { endpoints.known($0) }
        if case .leaf(let pin)? = known?.proof {
            for row in leaves[pin] ?? [] { concerned += rows[row].members }
        }
        for endpoint in concerned {
            guard let identity = endpoints[endpoint].outcome?.identity else { continue }
            if recognize(endpoint, identity) {
                touch(endpoint)
                settleProof(of: endpoint)
            }
            adoptRow(of: endpoint, identity)
        }
    }

    /// Indicates whether a pinned leaf may still prove a gateway at an endpoint. Several gateways behind one front share
    /// it, and one of them may have another by now.
    private func isProof(_ pin: LeafFingerprint, at endpoint: Endpoint) -> Bool {
        guard marks.isPinned(pin) else { return false }
        guard let identity = endpoints[endpoint].outcome?.identity, identity.leaf == pin else { return true }
        return marks.recognizes(at: endpoint, byLeafOf: identity)
    }

    /// Marks the rows of the paired gateways for refreshing that share a certificate or a place with a pairing: each place
    /// is that of one of them alone.
    private mutating func touchRows(sharing known: PairedMarks?) {
        guard let known, case .leaf(let pin) = known.proof else { return }
        for id in Set(marks.rows(pinning: pin) + known.places.flatMap { marks.rows(at: $0) }).sorted() {
            if let row = rows.known(id) { touch(row) }
        }
    }

    /// Records the proof that an answer gives by itself.
    ///
    /// - Returns: `true` if this changes the proof.
    mutating func recognize(_ endpoint: Endpoint, _ identity: GatewayIdentity) -> Bool {
        let known = endpoints[endpoint].proof(of: identity)
        guard let found = marks.row(at: endpoint, identity), known < found.proof else { return false }
        return endpoints[endpoint].prove(found.proof, leaf: identity.leaf)
    }

    /// Returns the row of the paired gateway that an answer is recognized as, whatever led to it at pairing and leads to
    /// it now. Whoever answered before under its fingerprint, at other places and without proof, gets another row.
    mutating func recognizedRow(
        _ endpoint: Endpoint,
        _ identity: GatewayIdentity,
        after former: GatewayID? = nil
    ) -> GatewayID? {
        guard let found = marks.row(at: endpoint, identity), let row = rows.known(found.id) else { return nil }
        let others = rows[row].members.filter { $0 != endpoint }
        if others.isEmpty { return row }
        if others.contains(where: { endpoints[$0].proof != .unproved }) { return agree(row, identity) ? row : nil }
        if join(endpoint, identity, after: former) == row { return row }
        rename(row)
        if !rows[row].members.isEmpty { giveAway(row) }
        return rows.known(found.id).flatMap { rows[$0].members.isEmpty ? $0 : nil }
    }

    /// Moves everything of a paired gateway's row that belongs to somebody else to a row of its own, although that is at
    /// the very endpoint after which the paired one is named.
    private mutating func giveAway(_ row: GatewayID) {
        guard let first = rows[row].members.first, let identity = endpoints[first].outcome?.identity,
            let mark = GatewayFingerprint(identity.leaf?.description ?? identity.dialect.rawValue)
        else { return }
        let id = GatewayID.claimant(mark, .endpoint(first))
        if rows.known(id) == nil { give(row, to: rows.insert(id)) }
    }

    /// Moves a row that answered before its pairing was known to the row of the pairing; from the row of another paired
    /// gateway, in whose place it is, the endpoint alone.
    private mutating func adoptRow(of endpoint: Endpoint, _ identity: GatewayIdentity) {
        guard let row = endpoints[endpoint].row,
            let found = marks.row(at: endpoint, identity), found.id != row,
            let target = recognizedRow(endpoint, identity), target != row
        else { return }
        guard !isPaired(row) else {
            leave(endpoint)
            return place(endpoint, identity)
        }
        endCandidateRow(target)
        if rows[row].history.hasShownLeaf { rows[target].history.hasShownLeaf = true }
        move(row, to: target)
        dissolve(row)
    }

    /// Marks the rows of paired gateways for refreshing that an endpoint concerns, even if it belongs to another row: it is
    /// a place of theirs, or shows their certificate.
    mutating func touchRows(pairedAt endpoint: Endpoint) {
        guard !marks.isEmpty else { return }
        let leaf = endpoints[endpoint].outcome?.shownLeaf
        for id in marks.rows(at: endpoint) + (leaf.map { marks.rows(pinning: $0) } ?? []) {
            if let row = rows.known(id), row != endpoints[endpoint].row { touch(row) }
        }
    }

    /// Marks the rows of paired gateways for refreshing of which nothing is said before an endpoint was asked.
    mutating func touchRowsWaiting(for endpoint: Endpoint) {
        if endpoints[endpoint].outcome == nil { touchRows(pairedAt: endpoint) }
    }

    /// Marks the row of the paired gateway that another row claims to be for refreshing.
    mutating func touchRowClaimed(by row: GatewayID) {
        guard !marks.isEmpty, let fingerprint = rows[row].fingerprint,
            let paired = rows.known(.fingerprint(fingerprint)), paired != row, marks[paired] != nil
        else { return }
        touch(paired)
    }
}
