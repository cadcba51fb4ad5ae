/// The facts about a watched gateway of which somebody does not know yet, and what holds them back.
extension WatchedGateway {
    /// The time after a way is back in which its next loss must last for longer to be told: one that comes and goes is not told
    /// of each time, and leaves room for other messages.
    private static let unsteadyWayInterval = settlingHold
    private static let unsteadyWayHold = Duration.seconds(60)

    /// The time for which a way must be lost where it is not known when the gateway last answered: a session waits that long
    /// for an answer.
    private static let unheardWayHold = Duration.seconds(5)

    /// The times before and after the moment at which something may be told in which that is looked at often.
    private static let dueIntervals = (before: Duration.seconds(10), after: Duration.seconds(5))

    /// Returns the facts that have begun or are over, have been so for long enough, and are to be told.
    func news(for audience: GatewayFact.Audience, at now: ContinuousClock.Instant) -> [GatewayFact] {
        lasting.filter { fact, lasting in
            guard let hold = hold(fact, lasting, audience) else { return false }
            return now - lasting.since >= hold && !isHeldBack(fact, lasting, audience, at: now)
        }
        .keys.sorted()
    }

    /// Returns the time for which a fact must last before it is told; `nil` if it is not told, or is known.
    private func hold(_ fact: GatewayFact, _ lasting: LastingFact, _ audience: GatewayFact.Audience) -> Duration? {
        let known = audience == .user ? memory.toldFacts : memory.recordedFacts
        guard known.contains(fact) != lasting.holds, let rule = fact.message(holds: lasting.holds)?.rule else {
            return nil
        }
        switch (fact, audience) {
        case (.approval, .history): return nil
        case (.lostWay(let way), _):
            let isUnsteady = returnedWays[way].map { lasting.since - $0 < Self.unsteadyWayInterval } ?? false
            return lasting.holds && isUnsteady ? Self.unsteadyWayHold : rule.hold
        case (_, .history): return rule.historyHold ?? rule.hold
        case (_, .user): return rule.hold
        }
    }

    /// Indicates whether a fact is not told yet though it has lasted for long enough.
    private func isHeldBack(
        _ fact: GatewayFact,
        _ lasting: LastingFact,
        _ audience: GatewayFact.Audience,
        at now: ContinuousClock.Instant
    ) -> Bool {
        switch (fact, audience) {
        case (.lostWay, _):
            guard saysSomething(at: now), lasting.holds else { return !saysSomething(at: now) }
            // The gateway must have answered over another one since, or it may be about to be gone altogether.
            return Self.lastHeard(facts, before: now).map { $0 <= lasting.since }
                ?? (now - lasting.since < Self.unheardWayHold)
        // Of one that was gone, it comes with the message that it is back, or after it.
        case (.refusal, .user): return memory.told == .down
        // That something else is where it was, or says that it is it, comes after the message that it does not answer.
        case (.trouble(.moved), .user), (.trouble(.replaced), .user):
            return facts.presence != .answering && memory.hasAnswered && memory.told == .up
        default: return false
        }
    }

    /// Returns how soon the facts should be given again for what is not told yet; `nil` if all is.
    func pace(at now: ContinuousClock.Instant) -> NoticeRules.Pace? {
        var isOpen = false
        for (fact, lasting) in lasting {
            // Where nothing answers, or no network leads there, nothing is decided about ways.
            if case .lostWay = fact, facts.presence != .answering || !facts.hasNetwork { continue }
            for hold in GatewayFact.Audience.allCases.compactMap({ hold(fact, lasting, $0) }) {
                isOpen = true
                let left = hold - (now - lasting.since)
                if left <= Self.dueIntervals.before, left > .zero - Self.dueIntervals.after { return .soon }
            }
        }
        return isOpen ? .later : nil
    }
}
