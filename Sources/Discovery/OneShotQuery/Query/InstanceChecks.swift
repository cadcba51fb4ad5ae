/// The timetable of the checks of instances that the backend does not see: the query asks for all of them every few
/// seconds, and reconfirms some soon after a goodbye. A value: no clock, no I/O.
struct InstanceChecks {
    /// The instances that a check covers.
    enum Subject {
        /// All instances that the backend does not confirm.
        case unconfirmed

        /// Instances that may be gone, as a goodbye or another source says.
        case reconfirming
    }

    /// The phase of the check under way.
    private enum Phase {
        case resting

        /// The query has asked. Instances that have not answered by the first time are asked for by name, and at the
        /// second time the check ends.
        case asked(Subject, nameAt: ContinuousClock.Instant, judgeAt: ContinuousClock.Instant)

        /// The silent instances have been asked for by name.
        case named(Subject, judgeAt: ContinuousClock.Instant)
    }

    /// The time to wait for answers to the question for all instances before the silent ones are asked for by name.
    static let namingDelay = Duration.milliseconds(300)

    /// The duration of a check, and the delay of a reconfirmation: the instance may be coming back (RFC 6762 §10.1).
    static let checkTime = Duration.seconds(1)

    private var phase = Phase.resting

    /// The time of the next check of all unconfirmed instances.
    private var nextAt: ContinuousClock.Instant?

    /// The time at which the query asks for the instances to reconfirm.
    private var reconfirmationAt: ContinuousClock.Instant?

    /// The number of consecutive checks of all unconfirmed instances in which at least one of them answered.
    private(set) var answeredInARow = 0

    /// The time at which something is due.
    var deadline: ContinuousClock.Instant? {
        let phaseDeadline: ContinuousClock.Instant? =
            switch phase {
            case .resting: nil
            case .asked(_, let nameAt, let judgeAt): min(nameAt, judgeAt)
            case .named(_, let judgeAt): judgeAt
            }
        return [phaseDeadline, nextAt, reconfirmationAt].compactMap(\.self).min()
    }

    /// The time at which the check under way ends; `nil` if there is none.
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

    /// Indicates whether no check is under way, and no check of all unconfirmed instances is planned.
    var isIdle: Bool {
        if case .resting = phase { nextAt == nil } else { false }
    }

    /// Plans the next check of all unconfirmed instances.
    mutating func schedule(at time: ContinuousClock.Instant) {
        nextAt = time
    }

    /// Puts the check of all unconfirmed instances off until the check under way has ended.
    ///
    /// - Returns: Whether there is one.
    mutating func waitForCheck() -> Bool {
        guard let judgeAt else { return false }
        nextAt = judgeAt
        return true
    }

    /// Plans to ask for the instances to reconfirm.
    mutating func scheduleReconfirmation(now: ContinuousClock.Instant) {
        if reconfirmationAt == nil { reconfirmationAt = now + Self.checkTime }
    }

    /// Puts the question for the instances to reconfirm off until the check under way has ended.
    ///
    /// - Returns: Whether there is one.
    mutating func postponeReconfirmation() -> Bool {
        guard let judgeAt else { return false }
        reconfirmationAt = judgeAt
        return true
    }

    /// Begins a check whose questions have just been asked.
    mutating func begin(_ subject: Subject, now: ContinuousClock.Instant) {
        phase = .asked(subject, nameAt: now + Self.namingDelay, judgeAt: now + Self.checkTime)
    }

    /// Indicates whether the silent instances are to be asked for by name now; returns `true` once only.
    mutating func takeNaming(now: ContinuousClock.Instant) -> Bool {
        guard case .asked(let subject, let nameAt, let judgeAt) = phase, nameAt <= now else { return false }
        // They get their full time to answer even if this call comes late, as after a sleep.
        phase = .named(subject, judgeAt: max(judgeAt, now + Self.checkTime - Self.namingDelay))
        return true
    }

    /// Ends the check under way if its time is over.
    ///
    /// - Returns: The subject of the check; `nil` if none has ended.
    mutating func takeJudgement(now: ContinuousClock.Instant) -> Subject? {
        guard let judgeAt, judgeAt <= now else { return nil }
        defer { phase = .resting }
        return subject
    }

    /// Indicates whether the check of all unconfirmed instances is due; returns `true` once only.
    mutating func takeCheck(now: ContinuousClock.Instant) -> Bool {
        guard let time = nextAt, time <= now else { return false }
        nextAt = nil
        return true
    }

    /// Indicates whether the instances to reconfirm are to be asked for; returns `true` once only.
    mutating func takeReconfirmation(now: ContinuousClock.Instant) -> Bool {
        guard let time = reconfirmationAt, time <= now else { return false }
        reconfirmationAt = nil
        return true
    }

    /// Records how many of the instances that the backend does not see answered in a check of all of them.
    mutating func note(answering count: Int) {
        answeredInARow = count > 0 ? answeredInARow + 1 : 0
    }
}
