/// The pace of the checks of all endpoints together.
struct CheckPace {
    /// The maximum number of concurrent checks that are not over a held connection.
    private static let mostAtOnce = 32

    /// The number of checks that are running, apart from those over held connections.
    private(set) var running = 0

    /// The time from which the next check may start; `nil` before the first one.
    private var next: ContinuousClock.Instant?

    /// Indicates whether a check over a connection of its own may start.
    var hasRoom: Bool { running < Self.mostAtOnce }

    /// Returns the time for which a check has to wait; `nil` if it may start now.
    func wait(now: ContinuousClock.Instant) -> ContinuousClock.Instant? { next.flatMap { now < $0 ? $0 : nil } }

    /// Records that a check or a probe in place of one starts.
    mutating func space(_ perSecond: Int, now: ContinuousClock.Instant) {
        next = max(next ?? now, now) + .seconds(1) / perSecond
    }

    /// Records that a check over a connection of its own has started.
    mutating func begin() { running += 1 }

    /// Records that it has ended.
    mutating func end() { running -= 1 }
}
