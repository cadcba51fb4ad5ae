/// The schedule for repeating a question that has not been answered, or to which more answers may always come (RFC 6762
/// §5.2).
struct QuestionSchedule {
    /// The longest time between two of them.
    static let longestInterval = Duration.seconds(3_600)

    /// The time at which it is asked next.
    private(set) var next: ContinuousClock.Instant

    /// The time to wait after that.
    ///
    /// The first time it is a little more than the second that it must be: a responder says nothing again that it said in
    /// the second before (RFC 6762 §6), and it took its time to say it.
    private var interval = Duration.milliseconds(1_150)

    /// The number of times that it may still be asked.
    private var left: Int

    /// The number of times that it has been asked, by us or in our place.
    private(set) var count = 0

    /// Indicates whether another host has asked it in our place the last time.
    private var wasSuppressed = false

    init(first: ContinuousClock.Instant, limit: Int = .max) {
        self.next = first
        self.left = limit
    }

    /// Indicates whether it has been asked as often as it may be.
    var isOver: Bool { left == 0 }

    /// It is asked by this time, and after that as if it had been its turn.
    mutating func hurry(to time: ContinuousClock.Instant) {
        next = min(next, time)
    }

    /// It has been sent: the next time comes after a good second, and then each time after twice as long.
    mutating func sent(at now: ContinuousClock.Instant) {
        left -= 1
        wasSuppressed = false
        follow(now)
    }

    /// Another host has asked the same, so that ours counts as sent (RFC 6762 §7.3), if it was about to be.
    ///
    /// Not twice in a row: the other one may be there only to keep us silent.
    ///
    /// - Returns: Whether it counts.
    mutating func suppress(at now: ContinuousClock.Instant) -> Bool {
        guard !wasSuppressed, next <= now + .seconds(1) else { return false }
        wasSuppressed = true
        follow(now)
        return true
    }

    private mutating func follow(_ now: ContinuousClock.Instant) {
        count += 1
        next = now + interval
        interval = min(interval * 2, Self.longestInterval)
    }
}
