/// The schedule of a question that is repeated until it is answered, or that may always bring more answers (RFC 6762
/// §5.2).
struct QuestionSchedule {
    /// The longest interval between two repetitions.
    static let longestInterval = Duration.seconds(3_600)

    /// The time at which the question is asked next.
    private(set) var next: ContinuousClock.Instant

    /// The interval after that time.
    ///
    /// The first interval is a little more than the second that it has to be: a responder does not repeat a record that
    /// it sent within the second before (RFC 6762 §6), and it took some time to answer.
    private var interval = Duration.milliseconds(1_150)

    /// The number of times that the question may still be asked.
    private var left: Int

    /// The number of times that the question has been asked, by us or in our place.
    private(set) var count = 0

    /// Indicates whether it was another host that asked the question last, in our place.
    private var wasSuppressed = false

    init(first: ContinuousClock.Instant, limit: Int = .max) {
        self.next = first
        self.left = limit
    }

    /// Indicates whether the question has been asked as often as it may be.
    var isOver: Bool { left == 0 }

    /// Brings the next time forward to the given one if that is earlier; the schedule continues from there.
    mutating func hurry(to time: ContinuousClock.Instant) {
        next = min(next, time)
    }

    /// Records that the question has been sent. The next time comes after a good second, and then after twice as long
    /// each time.
    mutating func sent(at now: ContinuousClock.Instant) {
        left -= 1
        wasSuppressed = false
        follow(now)
    }

    /// Counts the question as sent if it was about to be, since another host has asked the same one (RFC 6762 §7.3).
    ///
    /// It does not count twice in a row, since the other host may only want to keep us silent.
    ///
    /// - Returns: Whether the question counts as sent.
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
