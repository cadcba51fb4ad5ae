/// The back-off schedule for connecting to the daemon again. A value.
struct Backoff: Hashable, Sendable {
    static let shortest = Duration.milliseconds(100)
    static let longest = Duration.seconds(2)

    /// The time for which a connection must have lasted for the back-off to start over at the next failure.
    static let steadyAfter = Duration.seconds(10)

    private var delay = Self.shortest
    private var connectedAt: ContinuousClock.Instant?

    /// The time at which to try again; `nil` while nothing is wrong.
    private(set) var deadline: ContinuousClock.Instant?

    /// Returns whether it is time to try again.
    func isDue(now: ContinuousClock.Instant) -> Bool {
        deadline.map { $0 <= now } ?? false
    }

    mutating func connected(now: ContinuousClock.Instant) {
        connectedAt = now
        deadline = nil
    }

    mutating func failed(now: ContinuousClock.Instant) {
        if let connectedAt, now - connectedAt >= Self.steadyAfter { delay = Self.shortest }
        connectedAt = nil
        deadline = now + delay
        delay = min(delay * 2, Self.longest)
    }
}
