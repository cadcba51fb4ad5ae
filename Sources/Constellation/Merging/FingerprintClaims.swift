/// The claimants of one fingerprint.
struct FingerprintClaims: Sendable {
    /// The rows that have answered with it, the oldest first.
    var rows: [Slot<Row>] = []

    /// The candidates that advertise it.
    var candidates: Set<Slot<Candidate>> = []

    /// Claimants that are not shown before the row that has answered with it is heard of again.
    var held: [Slot<Candidate>] = []
    var heldRows: [Slot<Row>] = []

    var isEmpty: Bool { rows.isEmpty && candidates.isEmpty }
}
