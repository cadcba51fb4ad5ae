internal import DNSSD
internal import GatewayProtocol

/// The proofs of endpoints, which are apart from their answers, and the rows that get a fingerprint's identifier by
/// them.
extension BotMap {
    /// Takes in the proof that an endpoint is the gateway that it claims to be, or its withdrawal.
    mutating func learn(_ key: Endpoint, _ proof: GatewayProof, leaf: LeafFingerprint?) {
        if proof == .unproved, endpoints.known(key) == nil { return }
        let endpoint = endpoints.insert(key)
        if endpoints[endpoint].prove(proof, leaf: leaf) {
            touch(endpoint)
            settleProof(of: endpoint)
        }
        if endpoints[endpoint].candidates.isEmpty { rememberWithoutCandidate(endpoint) }
    }

    /// Indicates whether a member of a row has proved to be the gateway that it claims to be.
    func isProved(_ row: GatewayID) -> Bool {
        rows[row].members.contains { endpoints[$0].proof.isConclusive }
    }

    /// Makes the row of a proved endpoint the one row of its fingerprint, as if the proof had come before the answer.
    mutating func settleProof(of endpoint: Endpoint) {
        guard endpoints[endpoint].proof.isConclusive, let row = endpoints[endpoint].row,
            let fingerprint = rows[row].fingerprint
        else { return }
        if let other = claims[fingerprint]?.rows.first(where: { $0 != row && isProved($0) }) {
            merge(other, row, of: fingerprint)
        } else {
            promote(row, to: fingerprint)
        }
    }

    /// Indicates whether the first of two rows of one gateway is the one that stays. The row that is identified by the
    /// fingerprint stays, else the one under whose identifier bots are recorded, else the older.
    func keeps(_ one: GatewayID, before other: GatewayID, _ fingerprint: GatewayFingerprint) -> Bool {
        let id = GatewayID.fingerprint(fingerprint)
        if one == id || other == id { return one == id }
        let isKnown = records[one] != nil
        if isKnown != (records[other] != nil) { return isKnown }
        return rows[one].history.bornAt <= rows[other].history.bornAt
    }

    /// Gives a proved row the identifier of its fingerprint, whichever row had it. A row under whose identifier bots
    /// are recorded keeps that.
    private mutating func promote(_ row: GatewayID, to fingerprint: GatewayFingerprint) {
        let id = GatewayID.fingerprint(fingerprint)
        guard row != id, records[row] == nil else { return }
        if let holder = rows.known(id), !rows[holder].members.isEmpty { rename(holder) }
        if let holder = rows.known(id), !rows[holder].members.isEmpty { return }
        give(row, to: rows.insert(id))
    }

    /// Gives a row another identifier, taken from one of its members, since the rightful owner of its identifier has
    /// appeared: the proved gateway of its fingerprint, or another gateway at the endpoint after which it is named.
    mutating func rename(_ row: GatewayID) {
        guard let first = rows[row].members.first else { return }
        let place = GatewayCandidate.endpoint(first)
        let ids = [firstCandidate(of: first) ?? place, place].map { candidate -> GatewayID in
            switch row.form {
            case .fingerprint(let fingerprint), .claimant(let fingerprint, _): .claimant(fingerprint, candidate)
            case .candidate: .candidate(candidate)
            }
        }
        guard let id = ids.first(where: { rows.known($0) == nil }) else { return }
        give(row, to: rows.insert(id))
    }

    /// Moves everything that is known about a row to one that has another identifier and no members.
    mutating func give(_ row: GatewayID, to new: GatewayID) {
        rows[new].candidate = nil
        rows[new].history = rows[row].history
        rows[new].namedBy = rows[row].namedBy
        // These hold until the next answer; those of the row that had this identifier before do not.
        rows[new].flags = rows[row].flags
        rows[new].advertisedFingerprint = rows[row].advertisedFingerprint
        rows[new].succession.replacedFingerprint = rows[row].succession.replacedFingerprint
        if let fingerprint = rows[row].fingerprint, rows[new].fingerprint == nil {
            rows[new].fingerprint = fingerprint
            changeClaims(on: fingerprint) { $0.rows.append(new) }
        }
        move(row, to: new)
        dissolve(row)
    }
}
