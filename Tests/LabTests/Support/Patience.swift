/// The time to wait for something that should have come by the end of it.
///
/// A machine that is put to sleep, or whose processes stand still while it is moved, has not given anybody the time to do
/// anything: a gap between two looks counts as a quarter of a second at most. What has to come within a time is measured by
/// the time at which it came, not by this.
struct Patience {
    private static let longestStep = Duration.milliseconds(250)

    private var remaining: Duration
    private var last = ContinuousClock.now

    init(_ limit: Duration) {
        remaining = limit
    }

    /// The time that the next wait may take before ``isLeft()`` wants to be asked again.
    var step: Duration { max(.zero, min(remaining, Self.longestStep / 2)) }

    /// Takes off the time that has passed, and returns whether to wait on.
    mutating func isLeft() -> Bool {
        let now = ContinuousClock.now
        remaining -= min(now - last, Self.longestStep)
        last = now
        return remaining > .zero
    }
}
