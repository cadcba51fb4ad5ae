internal import Reports

/// The steps by which the wall clock of this host is set, as the clock shows them that nobody sets. A value.
struct ClockSteps {
    /// The longest difference of the clocks that is ignored: a time server corrects small ones now and then.
    private static let tolerance = Duration.seconds(5)

    /// A step of the wall clock.
    struct Step: Hashable {
        /// The time that it would show.
        let from: Timestamp

        /// The time that it shows.
        let to: Timestamp
    }

    private var last: (time: Timestamp, instant: ContinuousClock.Instant)?

    /// Takes in a look at the clocks.
    ///
    /// - Parameters:
    ///   - time: The time by the wall clock.
    ///   - instant: The same moment by the clock that nobody sets.
    /// - Returns: The step since the last look; `nil` if there was none.
    mutating func look(_ time: Timestamp, _ instant: ContinuousClock.Instant) -> Step? {
        defer { last = (time, instant) }
        guard let last else { return nil }
        let expected = last.time.advanced(by: instant - last.instant)
        let difference = Duration.milliseconds(time.milliseconds - expected.milliseconds)
        guard difference < .zero - Self.tolerance || difference > Self.tolerance else { return nil }
        return Step(from: expected, to: time)
    }
}
