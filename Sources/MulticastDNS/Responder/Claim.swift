internal import DNSSD

/// Names that are claimed together, on every path where they shall be known.
struct Claim: Sendable {
    /// RFC 6762 §8.1: after so many conflicts within this time, five seconds pass before each further try.
    private static let patience = (conflicts: 15, within: Duration.seconds(10), pause: Duration.seconds(5))

    /// How far it has got where.
    var phases: [ServicePath: ClaimPhase] = [:]

    /// When the latest conflicts were, the oldest first.
    private var conflicts: [ContinuousClock.Instant] = []

    /// Whether others have been told on every path.
    var isAnnounced: Bool { !phases.isEmpty && phases.values.allSatisfy(\.isAnnounced) }

    /// Notes a conflict.
    ///
    /// - Returns: When probing may begin again.
    mutating func noteConflict(
        now: ContinuousClock.Instant,
        delay: Duration = .zero
    ) -> ContinuousClock.Instant {
        conflicts.append(now)
        if conflicts.count > Self.patience.conflicts { conflicts.removeFirst() }
        guard let first = conflicts.first, conflicts.count == Self.patience.conflicts,
            first + Self.patience.within >= now
        else { return now + delay }
        return now + max(delay, Self.patience.pause)
    }

    /// Begins to probe anew, everywhere.
    mutating func restart(at time: ContinuousClock.Instant) {
        for path in phases.keys { phases[path] = .probing(sent: 0, next: time) }
    }
}
