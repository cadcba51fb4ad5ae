internal import Reports

/// One watched gateway: what it does, what the user was told of that, and what is still to be told. A value.
struct WatchedGateway: Hashable, Sendable {
    /// The time in which gateways can answer after nothing could be known of them, before their silence counts.
    static let judgementHold = Duration.seconds(15)

    var facts: GatewayFacts
    var memory: GatewayMemory

    /// The time since which the facts have called its presence what they call it now.
    var presenceSince: ContinuousClock.Instant

    /// The time of its last answer, for one that leaves questions unanswered, as far as it was known when that began.
    var quietSince: ContinuousClock.Instant

    /// The time since which it is gone, or answers, as far as this run has seen.
    var downSince: ContinuousClock.Instant?
    var upSince: ContinuousClock.Instant?

    /// The time since which it answers, whether or not a network leads there, by which its outage ends.
    var answeringSince: ContinuousClock.Instant?

    /// The beginning of the outage that lasts, from its first unanswered question on.
    var outageInstant: ContinuousClock.Instant?

    /// The time of its first question without an answer, if it does not answer.
    var silentSince: Timestamp?

    /// The time at which its last return was told.
    var returned: ContinuousClock.Instant?

    /// The time until which its silence says nothing.
    var judgedFrom: ContinuousClock.Instant

    /// The ways over which it answered last.
    var lastWays: [Way] = []

    /// The facts besides its presence that hold or are over; one of which nothing is known is not among them.
    var lasting: [GatewayFact: LastingFact]

    /// The times at which lost ways were back.
    var returnedWays: [Way: ContinuousClock.Instant]

    init(_ facts: GatewayFacts, _ memory: GatewayMemory, judgedFrom: ContinuousClock.Instant, at moment: Moment) {
        self.facts = facts
        self.memory = memory
        self.judgedFrom = judgedFrom
        presenceSince = moment.instant
        quietSince = Self.quietSince(facts, at: moment.instant)
        returned = memory.returned.map(moment.instant(of:))
        returnedWays = memory.returnedWays.mapValues(moment.instant(of:))
        // What is known stays so until it is over. Of the other facts, nothing is known.
        let known = memory.toldFacts.union(memory.recordedFacts).filter(\.outlastsSilence)
        lasting = Dictionary(uniqueKeysWithValues: known.map { ($0, LastingFact(holds: true, since: judgedFrom)) })
    }

    /// Takes in what is known of it now.
    mutating func observe(_ facts: GatewayFacts, at moment: Moment) -> [NoticeAction] {
        if facts.presence != self.facts.presence {
            presenceSince = moment.instant
            quietSince = Self.quietSince(facts, at: moment.instant)
        }
        self.facts = facts
        memory.alias = facts.alias
        if let holder = facts.holder { memory.holder = holder }
        if !facts.hasNetwork { suspendJudgement(at: moment.instant) }
        return followPresence(at: moment) + followFacts(at: moment)
    }

    /// Takes in that nothing could be known of it until now.
    mutating func suspendJudgement(at now: ContinuousClock.Instant) {
        judgedFrom = now + Self.judgementHold
        upSince = nil
        if memory.outage == nil {
            downSince = nil
            silentSince = nil
        }
        beginWays(at: judgedFrom)
    }

    /// Indicates whether its silence says something about it.
    func isJudged(at now: ContinuousClock.Instant) -> Bool { now >= judgedFrom }
}
