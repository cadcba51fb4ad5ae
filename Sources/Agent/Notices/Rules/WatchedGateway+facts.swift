internal import GatewayProtocol

/// The facts about a watched gateway besides its presence: since when they hold, and who does not know that yet.
extension WatchedGateway {
    /// The time for which a trouble must be over to be news if it comes back.
    private static let troubleLifetime = settlingHold

    /// Takes in which facts hold.
    ///
    /// - Returns: What is new in the history of them.
    mutating func followFacts(at moment: Moment) -> [NoticeAction] {
        let now = moment.instant
        followWays(at: now)
        // One that does not answer says nothing.
        note(.notReady, saysSomething(at: now) ? facts.readiness.map { !$0.isReady } : nil, at: now)
        note(.refusal, facts.presence == .answering && facts.isAccepted ? false : nil, at: now)
        for trouble in facts.troubles { note(.trouble(trouble), true, at: now) }
        for (fact, former) in lasting {
            switch fact {
            case .trouble(let trouble) where !facts.troubles.contains(trouble):
                note(fact, false, at: now)
                guard !former.holds, now - former.since >= Self.troubleLifetime else { continue }
                lasting[fact] = nil
                memory.toldFacts.remove(fact)
                memory.recordedFacts.remove(fact)
                if fact == .trouble(.refused) { memory.toldRefusals = [] }
            case .approval(let id) where facts.approvals?.contains { $0.id == id } != true: lasting[fact] = nil
            default: continue
            }
        }
        followRefusal(at: now)
        for device in facts.approvals ?? [] { note(.approval(id: device.id), true, at: now) }
        if let waiting = facts.approvals.map({ Set($0.map(\.id)) }) {
            memory.toldFacts = memory.toldFacts.filter {
                if case .approval(let id) = $0 { waiting.contains(id) } else { true }
            }
        }
        return recordFacts(at: moment)
    }

    /// Takes in the reason of a refusal that lasts: one of which the user was not told asks for something else of them, and is
    /// news once.
    private mutating func followRefusal(at now: ContinuousClock.Instant) {
        let fact = GatewayFact.trouble(.refused)
        if !memory.toldFacts.contains(.refusal) { memory.toldRefusals = [] }
        guard facts.troubles.contains(.refused), let reason = facts.refusalReason, !memory.toldRefusals.isEmpty else {
            return
        }
        if memory.toldRefusals.contains(reason) {
            memory.toldFacts.insert(fact)
        } else if memory.toldFacts.remove(fact) != nil {
            lasting[fact] = LastingFact(holds: true, since: now)
        }
    }

    /// Takes in whether a fact holds; `nil` if that is not known, which is neither so nor otherwise.
    private mutating func note(_ fact: GatewayFact, _ holds: Bool?, at now: ContinuousClock.Instant) {
        guard let holds else {
            lasting[fact] = nil
            return
        }
        lasting[fact, default: LastingFact(holds: holds, since: now)].note(holds, at: now)
    }

    // MARK: Ways

    private mutating func followWays(at now: ContinuousClock.Instant) {
        // A way that only records have brought, and that was lost and back: whoever sends the records can have it come and go,
        // so that it is told of once.
        let exhausted = facts.claimedWays.filter { way in
            memory.returnedWays[way] != nil
                && !memory.toldFacts.union(memory.recordedFacts).contains(.lostWay(way))
        }
        for way in exhausted { lasting[.lostWay(way)] = nil }
        // Where nothing answers, the gateway is what is lost; and while its network is away, so are all its ways.
        guard saysSomething(at: now) else { return beginWays(at: now) }
        for (way, answers) in facts.ways where !exhausted.contains(way) {
            let former = lasting[.lostWay(way)]
            if answers, former?.holds == true { returnedWays[way] = now }
            if answers || former != nil { note(.lostWay(way), !answers, at: now) }
        }
    }

    /// Takes in that nothing is known of the ways: all last from a time on.
    mutating func beginWays(at time: ContinuousClock.Instant) {
        for case .lostWay(let way) in lasting.keys { lasting[.lostWay(way)]?.since = time }
    }

    /// Indicates whether it says something of its ways and of its readiness.
    func saysSomething(at now: ContinuousClock.Instant) -> Bool {
        facts.presence == .answering && isJudged(at: now)
    }
}
