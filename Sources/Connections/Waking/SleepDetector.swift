/// The finding that this host, or this process, has slept: connections of before may have ended without a word. A value: the
/// clocks are read by whoever asks it, once a second or so.
///
/// The time since boot goes on while the host sleeps, and the time that it was awake does not. While a process is stopped both go
/// on, and it is asked later than it should have been.
struct SleepDetector: Hashable, Sendable {
    /// The time that is not noticed: clocks are read one after the other, and timers are late.
    static let tolerance = Duration.seconds(1)

    /// The lateness from which on the process has been stopped, or has had nothing of the processor for as long.
    static let longestDelay = Duration.seconds(3)

    private var sinceBoot: ContinuousClock.Instant?
    private var awake: SuspendingClock.Instant?

    /// The time at which it is to be asked next.
    private var expected: ContinuousClock.Instant?

    /// Takes in the clocks.
    ///
    /// - Parameters:
    ///   - now: The time since boot.
    ///   - awake: The time that the host was awake.
    ///   - next: The time at which it is asked next, at the latest.
    /// - Returns: Whether the host or the process has slept since it was last asked.
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
