internal import Constellation

/// The liveness of a gateway, by its answers alone: two misses in a row make it suspect, four make it gone, if its
/// last answer is five seconds old by then.
struct LivenessTracker: Hashable {
    /// The least time between the last answer of a gateway and when it counts as gone.
    static let shortestSilence = Duration.seconds(5)

    /// The waits between two looks at what is gone, or has never answered: from 1 s to 60 s.
    private static let firstWait = Duration.seconds(1)
    static let longestWait = Duration.seconds(60)

    /// `nil` for one that has never answered.
    private(set) var liveness: Liveness?

    /// The misses in a row.
    private(set) var misses = 0

    /// The time at which it answered last.
    private(set) var answeredAt: ContinuousClock.Instant?

    private var wait = Self.firstWait

    /// It has answered.
    ///
    /// - Returns: Whether that is news.
    mutating func answered(at now: ContinuousClock.Instant) -> Bool {
        let isNews = liveness != .answering
        liveness = .answering
        misses = 0
        answeredAt = now
        wait = Self.firstWait
        return isNews
    }

    /// It has not answered in time.
    ///
    /// - Returns: What it is now, if that is news.
    mutating func missed(at now: ContinuousClock.Instant) -> Liveness? {
        misses += 1
        guard let former = liveness, let answeredAt else { return nil }
        if former == .gone || misses >= 4 && now - answeredAt >= Self.shortestSilence {
            liveness = .gone
        } else if misses >= 2 {
            liveness = .suspect
        }
        return liveness == former ? nil : liveness
    }

    /// Returns the time for which to leave alone what is gone or has never answered. Each time it is a quarter longer
    /// than before, so that what is back after twenty seconds is seen within five.
    mutating func nextWait() -> Duration {
        defer { wait = min(wait * 5 / 4, Self.longestWait) }
        return wait
    }

    /// Begins the waits anew: there is a reason to look.
    mutating func hurry() {
        wait = Self.firstWait
    }
}
