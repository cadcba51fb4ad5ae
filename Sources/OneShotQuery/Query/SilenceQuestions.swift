/// The timetable of the questions that are asked while the backend does not work, and for a while after. A value: no
/// clock, no I/O.
///
/// A daemon that is flooded does not say that it loses anything: for as long as that takes it does not answer, now and
/// again.
struct SilenceQuestions {
    private enum Phase {
        /// The backend works, and asks itself.
        case resting

        /// The backend does not work.
        case asking(at: ContinuousClock.Instant)

        /// It works again: what was said while it did not is not said again.
        case fading(at: ContinuousClock.Instant, until: ContinuousClock.Instant)
    }

    /// The time for which questions go on once the backend works again.
    static let fadingTime = Duration.seconds(10)

    /// The time between two questions while the backend does not work: at first, and at most. After so many of the
    /// first each time is twice as long.
    static let intervals = (first: Duration.seconds(1), count: 10, longest: Duration.seconds(8))

    /// The time that a backend may take to begin.
    static let startTime = Duration.seconds(1)

    /// The time for which one that has worked is waited for: it may come and go.
    static let delay = OverloadQuestions.delay

    /// The time by which a question is rarer for each service that answers it: on a large network the answers alone
    /// keep everybody busy.
    static let timePerService = Duration.milliseconds(8)

    /// The time without any of these questions after which they begin anew.
    static let memory = OverloadQuestions.memory

    private var phase = Phase.resting

    /// The number of questions that were asked lately, and when the last one was.
    private var count = 0
    private var asked: ContinuousClock.Instant?

    /// The time at which something is due.
    var deadline: ContinuousClock.Instant? {
        switch phase {
        case .resting: nil
        case .asking(let time), .fading(let time, _): time
        }
    }

    /// Notes that the backend has stopped working.
    ///
    /// - Parameters:
    ///   - hasRun: Whether it ever has worked: one that has only just been asked for is not silent.
    ///   - services: The number of services that answer.
    mutating func backendStopped(hasRun: Bool, services: Int, now: ContinuousClock.Instant) {
        switch phase {
        case .asking: return
        // For one that comes and goes it is asked as often as for one that is away.
        case .fading(let time, _): phase = .asking(at: time)
        case .resting:
            let begin = now + (hasRun ? Self.delay : Self.startTime)
            phase = .asking(at: max(begin, asked.map { $0 + interval(services: services) } ?? begin))
        }
    }

    /// Notes that the backend has begun to work.
    ///
    /// - Parameter hasRun: Whether it had worked before.
    mutating func backendStarted(hasRun: Bool, now: ContinuousClock.Instant) {
        guard case .asking(let time) = phase else { return }
        phase = hasRun || asked != nil ? .fading(at: time, until: now + Self.fadingTime) : .resting
    }

    /// The time between two questions where so many services answer.
    private func interval(services: Int) -> Duration {
        let doublings = min(max(0, count - Self.intervals.count), 3)
        let interval = min(Self.intervals.first * (1 << doublings), Self.intervals.longest)
        return max(interval, Self.timePerService * services)
    }

    /// The time that is to have passed since a path was last asked, for whatever reason, where a question is due;
    /// `nil` where none is. ``ask(services:now:)`` or ``wait(until:)`` has to follow.
    mutating func takeSpacing(services: Int, now: ContinuousClock.Instant) -> Duration? {
        guard let time = deadline, time <= now else { return nil }
        if case .fading(_, let end) = phase, end <= now {
            phase = .resting
            return nil
        }
        if let asked, asked + Self.memory <= now { count = 0 }
        return interval(services: services)
    }

    /// Puts the question off: everything was asked for a moment ago.
    mutating func wait(until time: ContinuousClock.Instant) {
        plan(time)
    }

    /// Notes that it is asked now, and plans the next time.
    ///
    /// A backend that works again asks itself, ever more rarely (RFC 6762 §5.2): beside it the time between two
    /// questions doubles from the first on.
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
