internal import DNSSD

/// The timetable of the questions for what came incomplete on one path. A value: no clock, no I/O.
struct FollowUp {
    private enum Phase {
        /// Nothing is to be asked for.
        case resting

        /// It is asked for when nothing has come for a moment; that can be put off until `limit`.
        case gathering(askAt: ContinuousClock.Instant, limit: ContinuousClock.Instant)

        /// The answers to what was asked for have their time.
        case waiting(askAt: ContinuousClock.Instant)
    }

    private var phase = Phase.resting

    /// The instances that are incomplete, and may be asked for.
    var missing: Set<DomainName> = []

    /// Indicates whether some of them have not been looked at: those that were asked for have their time.
    private var hasNew = false

    /// The time at which they are asked for next.
    var deadline: ContinuousClock.Instant? {
        switch phase {
        case .resting: nil
        case .gathering(let time, _), .waiting(let time): time
        }
    }

    /// Notes that an instance is incomplete, and may be asked for.
    mutating func insert(_ name: DomainName) {
        missing.insert(name)
        hasNew = true
    }

    /// Notes that something new is known of an instance that may be incomplete.
    mutating func noteNew() {
        hasNew = true
    }

    /// Plans to ask for what is missing when nothing has come for a moment.
    mutating func expectMore(_ configuration: OneShotConfiguration, now: ContinuousClock.Instant) {
        guard hasNew, !missing.isEmpty else { return }
        var end = now + configuration.answerTime
        if case .gathering(_, let limit) = phase { end = limit }
        phase = .gathering(askAt: min(now + configuration.gatheringTime, end), limit: end)
    }

    /// Indicates whether they are to be asked for now; they are once.
    mutating func takeQuestion(now: ContinuousClock.Instant) -> Bool {
        guard let deadline, deadline <= now else { return false }
        phase = .resting
        hasNew = false
        return true
    }

    /// Plans to ask again.
    mutating func ask(at time: ContinuousClock.Instant) {
        phase = .waiting(askAt: time)
    }
}
