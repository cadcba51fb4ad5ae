/// The delay between attempts to claim a name when every name that is tried belongs to another host (RFC 6762 §8.1).
///
/// A host that claims every name that is probed for must neither silence an advertiser permanently nor provoke a storm
/// of packets. After fifteen conflicts within ten seconds, each further attempt waits for five seconds, until a minute
/// has passed without a conflict.
package struct ConflictPacing: Hashable, Sendable {
    private static let limit = 15
    private static let window = Duration.seconds(10)
    private static let pause = Duration.seconds(5)
    private static let memory = Duration.seconds(60)

    /// The times of the latest conflicts, the oldest first.
    private var conflicts: [ContinuousClock.Instant] = []

    /// Indicates whether there were that many conflicts, with no quiet minute since.
    private var isSlowed = false

    package init() {}

    /// Records a conflict.
    ///
    /// - Returns: The time to wait before the next attempt; zero at first.
    package mutating func noteConflict(now: ContinuousClock.Instant) -> Duration {
        if let last = conflicts.last, last + Self.memory <= now { isSlowed = false }
        conflicts.append(now)
        if conflicts.count > Self.limit { conflicts.removeFirst() }
        if let first = conflicts.first, conflicts.count == Self.limit, first + Self.window >= now { isSlowed = true }
        return isSlowed ? Self.pause : .zero
    }
}

extension BackendError {
    /// Returns the error for a network on which so many names in a row were taken.
    package static func namesTaken(_ wanted: String) -> BackendError {
        BackendError(
            .nameConflict,
            "\"\(DisplayText(wanted))\" and the names that were tried after it are taken on this network: look for who claims "
                + "them all. The next ones are tried more slowly."
        )
    }
}
