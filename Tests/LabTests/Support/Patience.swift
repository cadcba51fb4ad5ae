/// The remaining time of a wait for an event, in which time during which the whole machine stood still does not count.
///
/// While a machine sleeps, or is migrated, no process makes progress. Time between two calls of ``isLeft()`` therefore
/// counts as a quarter of a second at most. Tests that check how soon an event comes must compare the time of the event
/// instead.
struct Patience {
    private static let longestStep = Duration.milliseconds(250)

    private var remaining: Duration
    private var last = ContinuousClock.now

    init(_ limit: Duration) {
        remaining = limit
    }

    /// The maximum duration of the next wait, after which ``isLeft()`` must be called again.
    var step: Duration { max(.zero, min(remaining, Self.longestStep / 2)) }

    /// Subtracts the time that has passed since the last call, and returns whether there is time left.
    mutating func isLeft() -> Bool {
        let now = ContinuousClock.now
        remaining -= min(now - last, Self.longestStep)
        last = now
        return remaining > .zero
    }
}
