/// A detector of the sleep of this host or process, in which connections may have ended without notice. A value: its
/// caller reads the clocks, about once a second.
///
/// The time since boot advances while the host sleeps, and the time that it was awake does not. While the process is
/// stopped, both advance, but the next call comes later than it should.
struct SleepDetector: Hashable, Sendable {
    /// The longest difference that is ignored: clocks are read one after the other, and timers are late.
    static let tolerance = Duration.seconds(1)

    /// The delay of a call from which the process must have been stopped, or have got no processor time for as long.
    static let longestDelay = Duration.seconds(3)

    private var sinceBoot: ContinuousClock.Instant?
    private var awake: SuspendingClock.Instant?

    /// The time at which the next call is expected.
    private var expected: ContinuousClock.Instant?

    /// Compares the clocks with those of the last call.
    ///
    /// - Parameters:
    ///   - now: The time since boot.
    ///   - awake: The time that the host was awake.
    ///   - next: The time of the next call, at the latest.
    /// - Returns: `true` if the host or the process has slept since the last call.
    mutating func hasSlept(
        now: ContinuousClock.Instant,
        awake: SuspendingClock.Instant,
        next: ContinuousClock.Instant
    ) -> Bool {
        var hasSlept = false
        if let before = sinceBoot, let awakeBefore = self.awake {
            hasSlept = (now - before) - (awake - awakeBefore) > Self.tolerance
        }
        if let expected, now - expected > Self.longestDelay { hasSlept = true }
        sinceBoot = now
        self.awake = awake
        expected = next
        return hasSlept
    }
}
