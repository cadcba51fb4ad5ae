/// The timetable of the questions that are asked because the backend loses packets. A value: no clock, no I/O.
///
/// A lost multicast packet was sent once and is not sent again. Answers to our own question come to our own port, which
/// is not the one that overflows.
struct OverloadQuestions {
    /// The time to wait after the first loss, since more losses will follow.
    static let delay = Duration.milliseconds(250)

    /// The time between two questions at first, while losses go on, so that services that are published in a flood are
    /// seen while it lasts.
    static let interval = Duration.seconds(2)

    /// The number of these questions after which the time between them doubles with each one: then the flood is not
    /// going to end soon.
    static let questionsBeforeBackoff = 8

    /// The time after which one of these questions no longer counts, so that they are never further apart than this
    /// while losses go on.
    static let memory = Duration.seconds(16)

    /// The number of questions that count, and the time of the last one.
    private var asked: (count: Int, last: ContinuousClock.Instant)?

    /// The time at which the query asks for everything again.
    private(set) var deadline: ContinuousClock.Instant?

    /// Records that the backend has lost packets.
    mutating func noteLoss(now: ContinuousClock.Instant) {
        guard deadline == nil else { return }
        guard let asked, let count = recentCount(now: now), count > 0 else {
            deadline = now + Self.delay
            return
        }
        let interval = Self.interval * (1 << max(0, count - Self.questionsBeforeBackoff))
        deadline = max(asked.last + interval, now + Self.delay)
    }

    /// Returns the number of these questions that still count.
    private func recentCount(now: ContinuousClock.Instant) -> Int? {
        asked.map { max(0, $0.count - Int((now - $0.last) / Self.memory)) }
    }

    /// Indicates whether the query has to ask for everything now; returns `true` once only.
    mutating func takeQuestion(now: ContinuousClock.Instant) -> Bool {
        guard let time = deadline, time <= now else { return false }
        deadline = nil
        asked = ((recentCount(now: now) ?? 0) + 1, now)
        return true
    }
}
