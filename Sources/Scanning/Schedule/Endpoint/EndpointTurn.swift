/// The one time at which an endpoint is to be asked next.
struct EndpointTurn {
    /// The limiter of reports that bring it forward.
    var triggers = TriggerLimiter()

    /// The number of times that it was set: only the latest one counts.
    private(set) var number = 0

    /// The time; `nil` once it has come.
    private(set) var time: ContinuousClock.Instant?

    /// The time since which the endpoint waits, if it had to wait before.
    @Rare private(set) var waitsSince: ContinuousClock.Instant?

    /// Sets the time.
    ///
    /// - Returns: Its number.
    mutating func set(_ time: ContinuousClock.Instant, waitingSince since: ContinuousClock.Instant?) -> Int {
        number += 1
        self.time = time
        waitsSince = since
        return number
    }

    /// Records that the time has come.
    mutating func take() { time = nil }
}
