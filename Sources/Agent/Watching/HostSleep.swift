internal import Reports

/// The sleep of this host, or a stop of this process, in which nobody looked at gateways. A value.
struct HostSleep {
    /// The longest difference of the clocks that is ignored.
    private static let tolerance = Duration.seconds(3)

    /// The delay of a look from which this process must have been stopped.
    private static let longestDelay = Duration.seconds(10)

    private var last: Moment
    private var awake: SuspendingClock.Instant

    /// The time at which the next look is expected, at the latest.
    private var expected: ContinuousClock.Instant

    /// Begins to look.
    init(_ moment: Moment, awake: SuspendingClock.Instant) {
        last = moment
        self.awake = awake
        expected = moment.instant
    }

    /// Takes in that the next look comes after a time, at the latest.
    mutating func expect(within time: Duration) { expected = last.instant + time }

    /// Takes in a look.
    ///
    /// - Parameter awake: The same moment by the clock that stops while the host sleeps.
    /// - Returns: The time at which a sleep began that is over; `nil` if there was none.
    mutating func look(_ moment: Moment, awake: SuspendingClock.Instant) -> Timestamp? {
        let asleep = (moment.instant - last.instant) - (awake - self.awake)
        let delay = moment.instant - expected
        let before = last.time
        last = moment
        self.awake = awake
        if delay > Self.longestDelay { return before }
        return asleep > Self.tolerance ? moment.time.advanced(by: .zero - asleep) : nil
    }
}
