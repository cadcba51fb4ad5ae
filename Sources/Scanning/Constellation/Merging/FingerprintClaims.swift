internal import DNSSD

/// The claimants of one fingerprint.
struct FingerprintClaims: Sendable {
    /// The rows that have answered with it, the oldest first.
    var rows: [GatewayID] = []

    /// The candidates that advertise it: in a flood, one for each made up fingerprint.
    private(set) var candidates = MostlyOne<GatewayCandidate>()

    /// The number of candidates that belong to no row of something that has answered.
    private var unownedCandidates = 0

    /// The claimants that are held back until the row that answers with the fingerprint has answered again or stopped.
    var held: [GatewayCandidate] = []
    var heldRows: [GatewayID] = []

    var isEmpty: Bool { rows.isEmpty && candidates.isEmpty }

    /// Indicates whether others claim it beside the row that answers with it: the next answer may decide about them.
    var areDisputed: Bool { rows.count > 1 || unownedCandidates > 0 || !held.isEmpty || !heldRows.isEmpty }

    mutating func insert(_ candidate: GatewayCandidate, isOwned: Bool) {
        if candidates.insert(candidate), !isOwned { unownedCandidates += 1 }
    }

    mutating func remove(_ candidate: GatewayCandidate, isOwned: Bool) {
        if candidates.remove(candidate), !isOwned { unownedCandidates -= 1 }
        held.removeAll { $0 == candidate }
    }

    /// Counts a candidate anew that has joined a row, or has left one.
    mutating func ownerChanged(of candidate: GatewayCandidate, isOwned: Bool) {
        if candidates.contains(candidate) { unownedCandidates += isOwned ? -1 : 1 }
    }
}
