/// The pace at which names are tried while each one that is tried turns out to be another's (RFC 6762 §8.1).
///
/// A host that claims every name that is probed for must not silence an advertiser for good, nor be answered by a storm:
/// after fifteen conflicts in ten seconds each further try waits for five, for as long as it takes, and until there has
/// been none for a minute.
package struct ConflictPacing: Hashable, Sendable {
    private static let limit = 15
    private static let window = Duration.seconds(10)
    private static let pause = Duration.seconds(5)
    private static let memory = Duration.seconds(60)

    /// The times of the latest conflicts, the oldest first.
    private var conflicts: [ContinuousClock.Instant] = []

    /// Indicates whether there were so many, and no quiet minute since.
    private var isSlowed = false

    package init() {}

    /// Notes a conflict.
    ///
    /// - Returns: How long the next try waits: not at all, at first.
    package mutating func noteConflict(now: ContinuousClock.Instant) -> Duration {
        if let last = conflicts.last, last + Self.memory <= now { isSlowed = false }
        conflicts.append(now)
        if conflicts.count > Self.limit { conflicts.removeFirst() }
        if let first = conflicts.first, conflicts.count == Self.limit, first + Self.window >= now { isSlowed = true }
        return isSlowed ? Self.pause : .zero
    }
}

extension BackendError {
    /// Somebody claims every name that is tried.
    package static func namesTaken(_ wanted: String) -> BackendError {
        BackendError(
            .nameConflict,
            "\"\(DisplayText(wanted))\" and every other name that was tried is taken on this network at once: look for who "
                + "claims them all. The next ones are tried more slowly."
        )
    }
}
