/// The times at which the cloud is asked. A value.
///
/// Whatever changes here is sent at once. What others have changed is read at the start and once an hour; and every 20 seconds
/// for ten minutes after the start, and after anything has changed, here or there: then there is somebody who pairs on one
/// device and looks at another.
struct CloudPlan: Hashable, Sendable {
    /// The time for which changes are collected.
    static let settling = Duration.milliseconds(500)

    static let (longInterval, shortInterval) = (Duration.seconds(3_600), Duration.seconds(20))
    static let lively = Duration.seconds(600)
    static let (shortestPause, longestPause) = (Duration.seconds(1), Duration.seconds(300))

    private var nextReading: ContinuousClock.Instant?
    private var livelyUntil: ContinuousClock.Instant?
    private var pause: Duration?
    private var pausedUntil: ContinuousClock.Instant?

    /// Indicates whether the rows of others are to be read now.
    func reads(now: ContinuousClock.Instant) -> Bool { nextReading.map { $0 <= now } ?? true }

    /// Takes in that it has succeeded.
    ///
    /// - Parameter hasChanged: Indicates whether anything was sent or has come.
    mutating func succeed(hasRead: Bool, hasChanged: Bool, now: ContinuousClock.Instant) {
        (pause, pausedUntil) = (nil, nil)
        if hasChanged || livelyUntil == nil { livelyUntil = now + Self.lively }
        guard hasRead || hasChanged else { return }
        nextReading = now + (livelyUntil.map { now < $0 } ?? false ? Self.shortInterval : Self.longInterval)
    }

    /// Takes in that it has failed: it is tried again after 1 s, and twice as long each time.
    ///
    /// - Parameter asked: The pause that the server has asked for.
    mutating func fail(asked: Duration?, now: ContinuousClock.Instant) {
        let own = pause.map { min($0 * 2, Self.longestPause) } ?? Self.shortestPause
        pause = own
        pausedUntil = now + max(own, asked ?? .zero)
        // What has failed may have been the reading.
        nextReading = nil
    }

    /// Returns the time until the cloud is asked in any case; after a failure, also the one before which it is not asked.
    func wait(now: ContinuousClock.Instant) -> (atLeast: Duration, atMost: Duration) {
        if let pausedUntil, now < pausedUntil { return (pausedUntil - now, pausedUntil - now) }
        return (Self.settling, max((nextReading ?? now) - now, .zero))
    }
}
