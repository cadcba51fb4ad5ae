/// The claimants of one fingerprint.
struct FingerprintClaims: Sendable {
    /// The rows that have answered with it, the oldest first.
    var rows: [Slot<Row>] = []

    /// The candidates that advertise it.
    var candidates: Set<Slot<Candidate>> = []

    /// The claimants that are held back until the row that answers with the fingerprint has answered again or stopped.
    var held: [Slot<Candidate>] = []
    var heldRows: [Slot<Row>] = []

    var isEmpty: Bool { rows.isEmpty && candidates.isEmpty }
}
