/// The timetable of the checks of instances that the backend does not see: every few seconds all of them are asked
/// for, and soon after a goodbye those that it named. A value: no clock, no I/O.
struct InstanceChecks {
    /// The instances that a check is about.
    enum Subject {
        /// All that the backend does not confirm.
        case unconfirmed

        /// Those that somebody said are gone.
        case doubted
    }

    /// The phase of the check under way.
    private enum Phase {
        case resting

        /// It was asked. Whoever has not answered at the first time is asked by name, and at the second the check is
        /// over.
        case asked(Subject, nameAt: ContinuousClock.Instant, judgeAt: ContinuousClock.Instant)

        /// The silent ones were asked by name.
        case named(Subject, judgeAt: ContinuousClock.Instant)
    }

    /// The time for which answers to the question for all instances are waited for before those that are silent are
    /// asked by name.
    static let namingDelay = Duration.milliseconds(300)

    /// The time that a check takes, and that passes between a doubt and its check: the instance may be coming back (RFC
    /// 6762 §10.1).
    static let checkTime = Duration.seconds(1)

    private var phase = Phase.resting

    /// The time of the next check of all.
    private var nextAt: ContinuousClock.Instant?

    /// The time at which those in doubt are asked for.
    private var doubtsAt: ContinuousClock.Instant?

    /// The number of checks of all in a row in which an instance has answered that the backend does not see.
    private(set) var answeredInARow = 0

    /// The time at which something is due.
    var deadline: ContinuousClock.Instant? {
        let phaseDeadline: ContinuousClock.Instant? =
            switch phase {
            case .resting: nil
            case .asked(_, let nameAt, let judgeAt): min(nameAt, judgeAt)
            case .named(_, let judgeAt): judgeAt
            }
        return [phaseDeadline, nextAt, doubtsAt].compactMap(\.self).min()
    }

    /// The time at which the check under way is over; `nil` where there is none.
    private var judgeAt: ContinuousClock.Instant? {
        switch phase {
        case .resting: nil
        case .asked(_, _, let time), .named(_, let time): time
        }
    }

    /// The subject of the check under way.
    var subject: Subject? {
        switch phase {
        case .resting: nil
        case .asked(let subject, _, _), .named(let subject, _): subject
        }
    }

    /// Indicates whether neither a check is under way nor one of all is to come.
    var isIdle: Bool {
        if case .resting = phase { nextAt == nil } else { false }
    }

    /// Plans the next check of all.
    mutating func schedule(at time: ContinuousClock.Instant) {
        nextAt = time
    }

    /// Puts the check of all off until the one under way is over.
    ///
    /// - Returns: Whether there is one.
    mutating func waitForCheck() -> Bool {
        guard let judgeAt else { return false }
        nextAt = judgeAt
        return true
    }

    /// Plans to ask for those in doubt.
    mutating func scheduleDoubts(now: ContinuousClock.Instant) {
        if doubtsAt == nil { doubtsAt = now + Self.checkTime }
    }

    /// Puts the question for those in doubt off until the check under way is over.
    ///
    /// - Returns: Whether there is one.
    mutating func putDoubtsOff() -> Bool {
        guard let judgeAt else { return false }
        doubtsAt = judgeAt
        return true
    }

    /// Begins a check, which has just been asked.
    mutating func begin(_ subject: Subject, now: ContinuousClock.Instant) {
        phase = .asked(subject, nameAt: now + Self.namingDelay, judgeAt: now + Self.checkTime)
    }

    /// Indicates whether the silent ones are to be asked by name now; they are once.
    mutating func takeNaming(now: ContinuousClock.Instant) -> Bool {
        guard case .asked(let subject, let nameAt, let judgeAt) = phase, nameAt <= now else { return false }
        // They have their time, also where this comes late, as after a sleep.
        phase = .named(subject, judgeAt: max(judgeAt, now + Self.checkTime - Self.namingDelay))
        return true
    }

    /// The subject of the check that is over now; it is taken once.
    mutating func takeJudgement(now: ContinuousClock.Instant) -> Subject? {
        guard let judgeAt, judgeAt <= now else { return nil }
        defer { phase = .resting }
        return subject
    }

    /// Indicates whether the check of all is due; it is once.
    mutating func takeCheck(now: ContinuousClock.Instant) -> Bool {
        guard let time = nextAt, time <= now else { return false }
        nextAt = nil
        return true
    }

    /// Indicates whether those in doubt are to be asked for; they are once.
    mutating func takeDoubts(now: ContinuousClock.Instant) -> Bool {
        guard let time = doubtsAt, time <= now else { return false }
        doubtsAt = nil
        return true
    }

    /// Notes how many instances answered in a check of all that the backend does not see.
    mutating func note(answering count: Int) {
        answeredInARow = count > 0 ? answeredInARow + 1 : 0
    }
}
