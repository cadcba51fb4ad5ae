internal import DNSSD
internal import GatewayProtocol

/// The proofs of endpoints, apart from what they answer, and who goes by a fingerprint because of it.
extension BotMap {
    /// An endpoint is proved to be the gateway that it says it is, or is so no longer.
    mutating func learn(_ key: Endpoint, _ proof: GatewayProof, leaf: LeafFingerprint?) {
        if proof == .unproved, endpoints.slot(of: key) == nil { return }
        let endpoint = endpoints.slot(of: key) ?? endpoints.insert(EndpointFacts(key))
        if endpoints[endpoint].prove(proof, leaf: leaf) {
            touch(endpoint)
            settleProof(of: endpoint)
        }
        if endpoints[endpoint].candidates.isEmpty { rememberWithoutCandidate(endpoint) }
    }

    /// Indicates whether a member of a row has proved to be the gateway that it says it is.
    func isProved(_ row: Slot<Row>) -> Bool {
        rows[row].members.contains { endpoints[$0].proof.isConclusive }
    }

    /// Makes the row of an endpoint that is proved the one row of its fingerprint, as it would have been had the proof come
    /// before the answer.
    mutating func settleProof(of endpoint: Slot<EndpointFacts>) {
        guard endpoints[endpoint].proof.isConclusive, let row = endpoints[endpoint].row,
            let fingerprint = rows[row].fingerprint
        else { return }
        if let other = claims[fingerprint]?.rows.first(where: { $0 != row && isProved($0) }) {
            merge(other, row, of: fingerprint)
        } else {
            promote(row, to: fingerprint)
        }
    }

    /// Decides which of two rows that are one gateway stays: the one that goes by its fingerprint, then the one whose bots
    /// are paired by its identifier, then the older.
    func keeps(_ one: Slot<Row>, before other: Slot<Row>, _ fingerprint: GatewayFingerprint) -> Bool {
        let id = GatewayID.fingerprint(fingerprint)
        if rows[one].key == id || rows[other].key == id { return rows[one].key == id }
        let isKnown = records[rows[one].key] != nil
        if isKnown != (records[rows[other].key] != nil) { return isKnown }
        return rows[one].bornAt <= rows[other].bornAt
    }

    /// Gives a row that is proved the identifier of its fingerprint, whoever went by it. Where its bots are known by another
    /// one, it keeps that.
    private mutating func promote(_ row: Slot<Row>, to fingerprint: GatewayFingerprint) {
        let id = GatewayID.fingerprint(fingerprint)
        guard rows[row].key != id, records[rows[row].key] == nil else { return }
        if let holder = rows.slot(of: id), !rows[holder].members.isEmpty { rename(holder) }
        if let holder = rows.slot(of: id), !rows[holder].members.isEmpty { return }
        give(row, to: rows.slot(of: id) ?? rows.insert(Row(key: id)))
    }

    /// Gives a row another identifier, of a member of its own, since the one whose it is has come: the gateway of its
    /// fingerprint, which it has not proved to be, or another one at the place that it is called by.
    mutating func rename(_ row: Slot<Row>) {
        guard let first = rows[row].members.first else { return }
        let place = GatewayCandidate.endpoint(endpoints[first].key)
        let ids = [firstCandidate(of: first) ?? place, place].map { candidate -> GatewayID in
            switch rows[row].key {
            case .fingerprint(let fingerprint), .claimant(let fingerprint, _): .claimant(fingerprint, candidate)
            case .candidate: .candidate(candidate)
            }
        }
        guard let id = ids.first(where: { rows.slot(of: $0) == nil }) else { return }
        give(row, to: rows.insert(Row(key: id)))
    }

    /// Moves all that is known of a row to one that has another identifier and no members.
    private mutating func give(_ row: Slot<Row>, to new: Slot<Row>) {
        rows[new].candidate = nil
        rows[new].bornAt = rows[row].bornAt
        rows[new].answeredAt = rows[row].answeredAt
        rows[new].namedBy = rows[row].namedBy
        rows[new].hasAnsweredAgain = rows[row].hasAnsweredAgain
        // They hold until the next answer; those of who went by this identifier before do not.
        rows[new].flags = rows[row].flags
        rows[new].advertisedFingerprint = rows[row].advertisedFingerprint
        rows[new].replacedFingerprint = rows[row].replacedFingerprint
        if let fingerprint = rows[row].fingerprint, rows[new].fingerprint == nil {
            rows[new].fingerprint = fingerprint
            claims[fingerprint, default: FingerprintClaims()].rows.append(new)
        }
        move(row, to: new)
        dissolve(row)
    }
}
