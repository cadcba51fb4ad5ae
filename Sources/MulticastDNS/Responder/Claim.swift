internal import DNSSD

/// Names that are claimed together, on every path where they shall be known.
struct Claim: Sendable {
    /// The phase that it has reached on each path.
    var phases: [ServicePath: ClaimPhase] = [:]

    private var pacing = ConflictPacing()

    /// Indicates whether others have been told of it on every path.
    var isAnnounced: Bool { !phases.isEmpty && phases.values.allSatisfy(\.isAnnounced) }

    /// Notes a conflict.
    ///
    /// - Returns: When probing may begin again, and whether that is later since there were so many.
    mutating func noteConflict(
        now: ContinuousClock.Instant,
        delay: Duration = .zero
    ) -> (start: ContinuousClock.Instant, isSlowed: Bool) {
        let pause = pacing.noteConflict(now: now)
        return (now + max(delay, pause), pause > .zero)
    }

    /// Begins to probe anew, everywhere.
    mutating func restart(at time: ContinuousClock.Instant) {
        for path in phases.keys { phases[path] = .probing(sent: 0, next: time) }
    }
}
