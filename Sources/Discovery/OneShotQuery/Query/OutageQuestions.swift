/// The timetable of the questions that are asked while the backend does not work, and for a while after. A value: no
/// clock, no I/O.
///
/// A daemon that is flooded does not report that it loses packets; as long as the flood lasts, it just does not answer
/// now and again.
struct OutageQuestions {
    private enum Phase {
        /// The backend works, and asks by itself.
        case resting

        /// The backend does not work.
        case asking(at: ContinuousClock.Instant)

        /// The backend works again, but records that were multicast in the meantime are not sent again.
        case fading(at: ContinuousClock.Instant, until: ContinuousClock.Instant)
    }

    /// The time for which the questions go on once the backend works again.
    static let fadingTime = Duration.seconds(10)

    /// The time between two questions while the backend does not work: at first, and at most. After the given number of
    /// questions it doubles with each one.
    static let intervals = (first: Duration.seconds(1), count: 10, longest: Duration.seconds(8))

    /// The time that a backend may take to start.
    static let startTime = Duration.seconds(1)

    /// The time to wait for a backend that has worked before, since it may be back in a moment.
    static let delay = OverloadQuestions.delay

    /// The least time between two questions for each service that answers: on a large network the answers alone keep
    /// everybody busy.
    static let timePerService = Duration.milliseconds(8)

    /// The time without any of these questions after which the intervals begin anew.
    static let memory = OverloadQuestions.memory

    private var phase = Phase.resting

    /// The number of questions that were asked lately, and the time of the last one.
    private var count = 0
    private var asked: ContinuousClock.Instant?

    /// The time at which something is due.
    var deadline: ContinuousClock.Instant? {
        switch phase {
        case .resting: nil
        case .asking(let time), .fading(let time, _): time
        }
    }

    /// Records that the backend has stopped working.
    ///
    /// - Parameters:
    ///   - hasRun: Whether the backend has ever worked: one that has only just been started is not silent.
    ///   - services: The number of services that answer.
    mutating func backendStopped(hasRun: Bool, services: Int, now: ContinuousClock.Instant) {
        switch phase {
        case .asking: return
        // A backend that comes and goes gets as many questions asked as one that stays away.
        case .fading(let time, _): phase = .asking(at: time)
        case .resting:
            let begin = now + (hasRun ? Self.delay : Self.startTime)
            phase = .asking(at: max(begin, asked.map { $0 + interval(services: services) } ?? begin))
        }
    }

    /// Records that the backend has begun to work.
    ///
    /// - Parameter hasRun: Whether the backend had worked before.
    mutating func backendStarted(hasRun: Bool, now: ContinuousClock.Instant) {
        guard case .asking(let time) = phase else { return }
        phase = hasRun || asked != nil ? .fading(at: time, until: now + Self.fadingTime) : .resting
    }

    /// Returns the time between two questions for a number of services that answer.
    private func interval(services: Int) -> Duration {
        let doublings = min(max(0, count - Self.intervals.count), 3)
        let interval = min(Self.intervals.first * (1 << doublings), Self.intervals.longest)
        return max(interval, Self.timePerService * services)
    }

    /// Returns the time that must have passed since a path was last asked, for whatever reason, if a question is due;
    /// `nil` if none is. ``ask(services:now:)`` or ``wait(until:)`` has to follow.
    mutating func takeSpacing(services: Int, now: ContinuousClock.Instant) -> Duration? {
        guard let time = deadline, time <= now else { return nil }
        if case .fading(_, let end) = phase, end <= now {
            phase = .resting
            return nil
        }
        if let asked, asked + Self.memory <= now { count = 0 }
        return interval(services: services)
    }

    /// Puts the question off, since every path was asked a moment ago.
    mutating func wait(until time: ContinuousClock.Instant) {
        plan(time)
    }

    /// Records that the question is asked now, and plans the next one.
    ///
    /// A backend that works again asks by itself, ever more rarely (RFC 6762 §5.2): beside it, the time between two
    /// questions doubles from the first one on.
    mutating func ask(services: Int, now: ContinuousClock.Instant) {
        count += 1
        asked = now
        var working = Duration.zero
        if case .fading(_, let end) = phase { working = Self.fadingTime - (end - now) }
        plan(now + max(interval(services: services), working))
    }

    private mutating func plan(_ time: ContinuousClock.Instant) {
        switch phase {
        case .resting: return
        case .asking: phase = .asking(at: time)
        case .fading(_, let end): phase = .fading(at: time, until: end)
        }
    }
}
