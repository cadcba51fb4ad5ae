internal import GatewayProtocol

/// The rows before and after one row: those whose place it took, and those that took its own. Few rows have any.
struct RowSuccession: Sendable {
    /// The row to which its first endpoint belonged, while this one waits for that to end.
    var predecessor: GatewayID?

    /// The rows to which members of this one have gone, the latest last.
    private(set) var successors: [GatewayID] = []

    /// The fingerprint of the row whose place this one took.
    var replacedFingerprint: GatewayFingerprint?

    /// Adds a successor, and forgets the earliest ones where there are too many.
    ///
    /// - Parameter exists: Indicates whether a row still exists; the others are forgotten.
    mutating func add(_ successor: GatewayID, limit: Int, where exists: (GatewayID) -> Bool) {
        guard !successors.contains(successor) else { return }
        successors = successors.filter(exists).suffix(limit - 1) + [successor]
    }
}
