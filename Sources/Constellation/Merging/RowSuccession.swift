internal import GatewayProtocol

/// The rows before and after one row: those whose place it took, and those that took its own. Few rows have any.
struct RowSuccession: Sendable {
    private struct Others: Hashable, Sendable {
        var predecessor: GatewayID?
        var successors: [GatewayID] = []
        var replacedFingerprint: GatewayFingerprint?
    }

    @Rare private var others: Others?

    init() {}

    /// The row to which its first endpoint belonged, while this one waits for that to end.
    var predecessor: GatewayID? {
        get { _others.read { $0.predecessor } ?? nil }
        set { if newValue != nil || _others.isPresent { change { $0.predecessor = newValue } } }
    }

    /// The rows to which members of this one have gone, the latest last.
    var successors: [GatewayID] { _others.read { $0.successors } ?? [] }

    /// The fingerprint of the row whose place this one took.
    var replacedFingerprint: GatewayFingerprint? {
        get { _others.read { $0.replacedFingerprint } ?? nil }
        set { if newValue != nil || _others.isPresent { change { $0.replacedFingerprint = newValue } } }
    }

    /// Adds a successor, and forgets the earliest ones where there are too many.
    ///
    /// - Parameter exists: Indicates whether a row still exists; the others are forgotten.
    mutating func add(_ successor: GatewayID, limit: Int, where exists: (GatewayID) -> Bool) {
        guard !successors.contains(successor) else { return }
        let known = successors.filter(exists)
        change { $0.successors = known.suffix(limit - 1) + [successor] }
    }

    private mutating func change(_ body: (inout Others) -> Void) { _others.change(from: Others(), body) }
}
