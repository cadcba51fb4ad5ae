/// The liveness of a gateway, by its answers alone: two misses in a row make it suspect, four make it gone, if its
/// last answer is five seconds old by then. What a session has missed counts as well.
package struct LivenessTracker: Hashable {
    /// The minimum time between the last answer of a gateway and the moment at which it counts as gone.
    package static let shortestSilence = Duration.seconds(5)

    /// The waits between two probes of an endpoint that is gone or has never answered: from 1 s to 60 s.
    private static let firstWait = Duration.seconds(1)
    package static let longestWait = Duration.seconds(60)

    /// The liveness; `nil` for a gateway that has never answered.
    package private(set) var liveness: Liveness?

    /// The number of misses in a row.
    package private(set) var misses = 0

    /// The time at which it answered last.
    @Rare package private(set) var answeredAt: ContinuousClock.Instant?

    private var wait = Self.firstWait

    package init() {}

    /// Records an answer.
    ///
    /// - Returns: `true` if the liveness has changed.
    package mutating func answered(at now: ContinuousClock.Instant) -> Bool {
        let isNews = liveness != .answering
        liveness = .answering
        misses = 0
        answeredAt = now
        wait = Self.firstWait
        return isNews
    }

    /// Records that there was no answer in time.
    ///
    /// - Returns: The new liveness, if it has changed.
    package mutating func missed(at now: ContinuousClock.Instant) -> Liveness? {
        misses += 1
        guard let former = liveness, let answeredAt else { return nil }
        if former == .gone || misses >= 4 && now - answeredAt >= Self.shortestSilence {
            liveness = .gone
        } else if misses >= 2 {
            liveness = .suspect
        }
        return liveness == former ? nil : liveness
    }

    /// Records that a session with a gateway that answered has become suspect, which is worth the two misses that do the
    /// same. When the last sign of life came is not known here; its silence counts from now.
    package mutating func sessionSuspected(at now: ContinuousClock.Instant) {
        guard liveness == .answering else { return }
        liveness = .suspect
        misses = 2
        answeredAt = now
    }

    /// Records that a session has ended: one that was suspect has missed one more answer, and the next miss decides.
    package mutating func sessionEnded() {
        if liveness == .suspect { misses = max(misses, 3) }
    }

    /// Returns the time for which to leave an endpoint alone that is gone or has never answered. It grows by a quarter
    /// each time, so that a gateway that is back after twenty seconds is noticed within five.
    package mutating func nextWait() -> Duration {
        defer { wait = min(wait * 5 / 4, Self.longestWait) }
        return wait
    }

    /// Restarts the back-off, since there is a reason to ask.
    package mutating func restartBackOff() {
        wait = Self.firstWait
    }
}
