/// The limit on how often a gateway is asked for the same thing: Clawline allows each device five requests to pair, and
/// five for a session, in a minute. A value: callers pass the time.
package struct AttemptLimit: Hashable, Sendable {
    /// The most requests within ``window``.
    package static let most = 5

    /// The time within which requests are counted. The gateway counts for a minute when they arrive, and one that was
    /// sent later may arrive sooner after its connection.
    package static let window = Duration.seconds(65)

    /// The times of the last requests, at most ``most``.
    private var times: [ContinuousClock.Instant] = []

    package init() {}

    /// Returns the time from which the next request may be sent, not before now.
    package func next(at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        guard times.count >= Self.most, let first = times.first else { return now }
        return max(now, first + Self.window)
    }

    /// Records a request, if one may be sent.
    ///
    /// - Returns: `true` if it may be sent.
    package mutating func take(at now: ContinuousClock.Instant) -> Bool {
        guard next(at: now) <= now else { return false }
        // A time before that of the last request counts as that, so that nothing is forgotten too early.
        times.append(max(now, times.last ?? now))
        times.removeFirst(max(times.count - Self.most, 0))
        return true
    }
}
