/// The answers of a row, by the events in which they came.
struct RowHistory: Hashable, Sendable {
    /// The event of the first answer.
    private(set) var bornAt: UInt64 = 0

    /// The event of the last answer.
    private(set) var answeredAt: UInt64 = 0

    /// Indicates whether a member has answered more than once.
    private(set) var hasAnsweredAgain = false

    /// Indicates whether a member has shown a certificate. Whoever answers for the row without one after that is flagged.
    var hasShownLeaf = false

    init() {}

    /// Records that the row exists since an event.
    mutating func begin(in event: UInt64) { bornAt = event }

    /// Records that another gateway answers for the row from now on, or the same one anew.
    mutating func beginAgain() { hasAnsweredAgain = false }

    /// Records that a member has answered in an event.
    ///
    /// - Parameter isFirst: Indicates whether this is the member's first answer.
    mutating func answered(in event: UInt64, isFirst: Bool) {
        answeredAt = event
        if !isFirst { hasAnsweredAgain = true }
    }

    /// Indicates whether the row had answered before an event, and has not since.
    func isSilent(since event: UInt64) -> Bool { bornAt < event && answeredAt < event }
}
