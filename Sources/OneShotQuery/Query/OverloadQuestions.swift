/// The timetable of the questions that are asked where the backend loses packets. A value: no clock, no I/O.
///
/// A lost packet was sent once, to all, and is not sent again. Answers to our own question come to our own port, which
/// is not the one that overflows.
struct OverloadQuestions {
    /// The time to wait after the first loss: more will follow.
    static let delay = Duration.milliseconds(250)

    /// The time between two questions at first, while losses go on: what is published in a flood is seen while it
    /// lasts.
    static let interval = Duration.seconds(2)

    /// The number of them after which each is put off for twice as long: then it is not going to end soon.
    static let patience = 8

    /// The time in which one of these questions is forgotten, so that they never come more rarely than this while
    /// losses go on.
    static let memory = Duration.seconds(16)

    /// The questions that were asked lately.
    private var asked: (count: Int, last: ContinuousClock.Instant)?

    /// The time at which everything is asked for again.
    private(set) var deadline: ContinuousClock.Instant?

    /// Notes that the backend has lost packets.
    mutating func noteLoss(now: ContinuousClock.Instant) {
        guard deadline == nil else { return }
        guard let asked, let count = recentCount(now: now), count > 0 else {
            deadline = now + Self.delay
            return
        }
        let interval = Self.interval * (1 << max(0, count - Self.patience))
        deadline = max(asked.last + interval, now + Self.delay)
    }

    /// The number of these questions that were asked and are not forgotten.
    private func recentCount(now: ContinuousClock.Instant) -> Int? {
        asked.map { max(0, $0.count - Int((now - $0.last) / Self.memory)) }
    }

    /// Indicates whether everything is to be asked for now; it is once.
    mutating func takeQuestion(now: ContinuousClock.Instant) -> Bool {
        guard let time = deadline, time <= now else { return false }
        deadline = nil
        asked = ((recentCount(now: now) ?? 0) + 1, now)
        return true
    }
}
