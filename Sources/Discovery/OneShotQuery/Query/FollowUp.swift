internal import DNSSD

/// The timetable of the questions for the missing records of incomplete instances on one path. A value: no clock, no
/// I/O.
struct FollowUp {
    private enum Phase {
        /// Nothing is to be asked for.
        case resting

        /// The query asks once nothing has come for a moment; that can be put off until `limit`.
        case gathering(askAt: ContinuousClock.Instant, limit: ContinuousClock.Instant)

        /// The query waits for the answers to its last questions.
        case waiting(askAt: ContinuousClock.Instant)
    }

    private var phase = Phase.resting

    /// The incomplete instances that may be asked for.
    var missing = OrderedNames()

    /// Indicates whether something has changed since the last questions: instances that were just asked for are given
    /// time to answer.
    private var hasNew = false

    /// The time of the next questions.
    var deadline: ContinuousClock.Instant? {
        switch phase {
        case .resting: nil
        case .gathering(let time, _), .waiting(let time): time
        }
    }

    /// Adds an incomplete instance that may be asked for.
    mutating func insert(_ name: DomainName) {
        missing.insert(name)
        hasNew = true
    }

    /// Records that something new is known about an instance that may be incomplete.
    mutating func noteNew() {
        hasNew = true
    }

    /// Plans to ask for missing records once nothing has come for a moment.
    mutating func expectMore(_ configuration: OneShotConfiguration, now: ContinuousClock.Instant) {
        guard hasNew, !missing.isEmpty else { return }
        var end = now + configuration.answerTime
        if case .gathering(_, let limit) = phase { end = limit }
        phase = .gathering(askAt: min(now + configuration.gatheringTime, end), limit: end)
    }

    /// Indicates whether the query has to ask now; returns `true` once only.
    mutating func takeQuestion(now: ContinuousClock.Instant) -> Bool {
        guard let deadline, deadline <= now else { return false }
        phase = .resting
        hasNew = false
        return true
    }

    /// Plans the next questions.
    mutating func ask(at time: ContinuousClock.Instant) {
        phase = .waiting(askAt: time)
    }
}
