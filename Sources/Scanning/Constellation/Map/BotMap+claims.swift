internal import DNSSD
internal import GatewayProtocol

/// The claims on fingerprints: by the rows that have answered with one, and by the candidates that advertise it.
extension BotMap {
    /// Records the fingerprint that a candidate advertises from now on.
    mutating func claim(_ candidate: GatewayCandidate) {
        candidates[candidate].claimedAt = sequence
        guard let fingerprint = candidates[candidate].fingerprint else { return }
        let isOwned = candidates[candidate].isOwned
        changeClaims(on: fingerprint) { $0.insert(candidate, isOwned: isOwned) }
        touchClaimants(of: fingerprint)
    }

    /// Removes the claim of a candidate that no longer advertises a fingerprint.
    mutating func withdrawClaim(of candidate: GatewayCandidate, to fingerprint: GatewayFingerprint) {
        let isOwned = candidates[candidate].isOwned
        changeClaims(on: fingerprint) { $0.remove(candidate, isOwned: isOwned) }
        touchClaimants(of: fingerprint)
    }

    /// Records whether a candidate belongs to a row of something that has answered.
    mutating func setOwned(_ isOwned: Bool, _ candidate: GatewayCandidate) {
        candidates[candidate].isOwned = isOwned
        guard let fingerprint = candidates[candidate].fingerprint else { return }
        changeClaims(on: fingerprint) { $0.ownerChanged(of: candidate, isOwned: isOwned) }
        touchClaimants(of: fingerprint)
    }

    /// Changes the claims on a fingerprint, and records in the rows that have answered with it whether anybody disputes it:
    /// each of their answers depends on that, and must not have to look it up.
    mutating func changeClaims(on fingerprint: GatewayFingerprint, _ body: (inout FingerprintClaims) -> Void) {
        var changed = claims.removeValue(forKey: fingerprint) ?? FingerprintClaims()
        let (wereDisputed, known) = (changed.areDisputed, changed.rows.count)
        body(&changed)
        let areDisputed = changed.areDisputed
        // Of thousands of rows with one fingerprint, only those are visited for which something is new.
        for row in changed.rows.dropFirst(areDisputed == wereDisputed ? known : 0) {
            rows[row].isDisputed = areDisputed
        }
        if !changed.isEmpty { claims[fingerprint] = changed }
    }

    /// Marks the candidates for refreshing that may have become the only claimant of a fingerprint, or may no longer
    /// be. In a large crowd, each is one of many whatever the others do, and none is marked.
    mutating func touchClaimants(of fingerprint: GatewayFingerprint) {
        guard let claimants = claims[fingerprint]?.candidates, claimants.count <= limits.candidatesPerEndpoint else {
            return
        }
        // The order of a set's elements differs from process to process.
        let oldestFirst = claimants.sorted { candidates[$0].claimedAt < candidates[$1].claimedAt }
        for candidate in oldestFirst { touch(candidate) }
    }

    /// Releases the claimants that were held back until the row that answers with their fingerprint answered again or
    /// stopped.
    mutating func release(claimsOn fingerprint: GatewayFingerprint) {
        guard let held = claims[fingerprint], !held.held.isEmpty || !held.heldRows.isEmpty else { return }
        changeClaims(on: fingerprint) { claims in
            claims.held = []
            claims.heldRows = []
        }
        for candidate in held.held { touch(candidate) }
        for row in held.heldRows { touch(row) }
    }
}
