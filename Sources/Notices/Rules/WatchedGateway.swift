internal import GatewayProtocol
internal import Reports

/// One watched gateway: what it does, what the user was told of that, and what is still to be told. A value.
struct WatchedGateway: Hashable, Sendable {
    /// The time for which a gateway that was gone must answer before that is told.
    static let shortestReturn = Duration.seconds(3)

    /// The time for which it must answer before its outage has ended: what answers at its place may be another thing, as is
    /// known a moment later.
    static let shortestAnswer = Duration.seconds(1)

    /// The time for which an outage of one that goes away again and again is looked at often.
    private static let longestDecision = Duration.seconds(30)

    /// The time by which an outage of one that goes away again and again must be longer than all before, and at least by half
    /// of them, to be told as soon as that: it is not one more of the same.
    private static let excess = Duration.seconds(3)

    /// The time for which a gateway that goes away again and again must stay as it is, to have settled; and the time after
    /// a return in which another outage belongs to the same trouble.
    static let calm = Duration.seconds(300)

    /// The time in which gateways can answer after nothing could be known of them, before their silence counts.
    static let grace = Duration.seconds(15)

    /// News about whether the gateway answers.
    enum News: Hashable, Sendable {
        case gone
        case unsteady
        case back
        case settled(isAnswering: Bool)
    }

    private(set) var facts: GatewayFacts
    var memory: GatewayMemory
    var limit: HourlyLimit

    /// The time since which it is gone, or answers, as far as this run has seen.
    private(set) var downSince: ContinuousClock.Instant?
    private(set) var upSince: ContinuousClock.Instant?

    /// The time since which it answers, whether or not a network leads there, by which its outage ends.
    private var answeringSince: ContinuousClock.Instant?

    /// The beginning of the outage that lasts, from its first unanswered question on.
    private var outageInstant: ContinuousClock.Instant?

    /// The time of its first question without an answer, if it does not answer.
    private var silentSince: Timestamp?

    private var silence = WatchedSilence()

    /// The time at which its last return was told.
    var returned: ContinuousClock.Instant?

    /// The time until which its silence says nothing.
    private var judgedFrom: ContinuousClock.Instant

    var ways: WatchedWays

    /// The ways over which it answered last.
    private var lastWays: [Way] = []
    var readiness = WatchedReadiness()
    var approvals: WatchedApprovals
    var troubles: WatchedTroubles
    var acceptance = WatchedAcceptance()

    init(_ facts: GatewayFacts, _ memory: GatewayMemory, judgedFrom: ContinuousClock.Instant, at moment: Moment) {
        self.facts = facts
        limit = HourlyLimit(memory.messages, at: moment)
        approvals = WatchedApprovals(memory.approvalMessages, at: moment)
        returned = memory.returned.map(moment.instant(of:))
        self.memory = memory
        self.judgedFrom = judgedFrom
        ways = WatchedWays(
            lost: memory.lostWays.union(memory.recordedWays),
            returned: memory.returnedWays.mapValues(moment.instant(of:)),
            since: judgedFrom
        )
        troubles = WatchedTroubles(told: memory.troubles.union(memory.recordedTroubles), since: judgedFrom)
    }

    /// Takes in what is known of it now.
    mutating func observe(_ facts: GatewayFacts, at moment: Moment) -> [NoticeAction] {
        self.facts = facts
        let now = moment.instant
        memory.alias = facts.alias
        if let holder = facts.holder { memory.holder = holder }
        if !facts.hasNetwork { suspendJudgement(at: now) }
        var actions: [NoticeAction] = []
        defer { outageInstant = memory.outage.map { outageInstant ?? moment.instant(of: $0) } }
        switch silence.presence(facts, judgedFrom: judgedFrom, at: now) {
        case .answering:
            memory.hasAnswered = true
            let answering = facts.ways.filter(\.value).keys.sorted()
            if !answering.isEmpty { lastWays = answering }
            silentSince = nil
            downSince = nil
            upSince = upSince ?? now
            let since = answeringSince ?? now
            answeringSince = since
            if let outage = memory.outage, now - since >= Self.shortestAnswer {
                let end = moment.time.advanced(by: since - now)
                memory.outage = nil
                memory.outageEnd = end
                memory.longestOutage = max(memory.longestOutage, end.milliseconds - outage.milliseconds)
                actions.append(.outageEnded(key: facts.subject.key, at: end))
            }
        case .silent:
            silentSince = silentSince ?? lastAnswer(before: moment)
        case .gone where isJudged(at: now):
            (upSince, answeringSince) = (nil, nil)
            guard memory.hasAnswered else { break }
            downSince = downSince ?? now
            guard memory.outage == nil else { break }
            let began = silentSince ?? lastAnswer(before: moment)
            memory.outage = began
            memory.allOutages += 1
            if !isUnsettled(at: now) { (memory.outages, memory.longestOutage) = (0, 0) }
            memory.outages += 1
            actions.append(.outageBegan(facts.subject, at: began, reason: facts.reason, ways: lastWays))
        case .gone, .unknown:
            (upSince, answeringSince) = (nil, nil)
            // Its silence may be ours.
            if memory.outage == nil { silentSince = nil }
        }
        // Where nothing answers, the gateway is what is lost; and while its network is away, so are all its ways.
        let known = facts.ways.filter { !exhaustedWays.contains($0.key) }
        ways.forget(exhaustedWays)
        if saysOfWays(at: now) { ways.observe(known, at: now) } else { ways.begin(at: now) }
        // One that does not answer says nothing.
        readiness.observe(facts.presence == .answering && isJudged(at: now) ? facts.readiness : nil, at: now)
        actions += recordReadiness(at: moment)
        let over = troubles.observe(facts.troubles, at: now)
        memory.troubles.subtract(over)
        memory.recordedTroubles.subtract(over)
        acceptance.observe(facts.presence == .answering && facts.isAccepted, at: now)
        actions += recordWaysAndTroubles(at: moment)
        approvals.observe(facts.approvals, at: now)
        if let waiting = facts.approvals { memory.approvals.formIntersection(waiting.map(\.id)) }
        return actions
    }

    /// Returns the time of its last answer, for one that does not answer now; the present time if it is not known.
    private func lastAnswer(before moment: Moment) -> Timestamp {
        WatchedSilence.lastHeard(facts, before: moment.instant).map { moment.time.advanced(by: $0 - moment.instant) }
            ?? moment.time
    }

    /// Takes in that nothing could be known of it until now.
    mutating func suspendJudgement(at now: ContinuousClock.Instant) {
        judgedFrom = now + Self.grace
        upSince = nil
        if memory.outage == nil {
            downSince = nil
            silentSince = nil
        }
        ways.begin(at: judgedFrom)
    }

    /// Indicates whether its silence says something about it.
    private func isJudged(at now: ContinuousClock.Instant) -> Bool { now >= judgedFrom }

    /// Indicates whether something is known of its ways.
    private func saysOfWays(at now: ContinuousClock.Instant) -> Bool {
        facts.presence == .answering && isJudged(at: now)
    }

    /// The ways that only records have brought, and that were lost and back: whoever sends the records can have them come and
    /// go, so that each is told of once.
    private var exhaustedWays: Set<Way> {
        facts.claimedWays.filter {
            memory.returnedWays[$0] != nil && !memory.lostWays.contains($0) && !memory.recordedWays.contains($0)
        }
    }

    /// Indicates whether an outage that begins now belongs to the trouble of which the user was told.
    private func isUnsettled(at now: ContinuousClock.Instant) -> Bool {
        memory.told != .up || returned.map { now - $0 < Self.calm } ?? false
    }

    // MARK: What is to be told

    /// Returns the news about whether it answers that the user is to be told; `nil` if the user knows.
    func news(at now: ContinuousClock.Instant) -> News? {
        let isUp = memory.outage == nil && facts.presence == .answering
        let up = isUp ? upSince.map { now - $0 } : nil
        let down = memory.outage != nil && isJudged(at: now) ? downSince.map { now - $0 } : nil
        switch memory.told {
        case .up:
            guard down != nil else { return nil }
            return isUnsettled(at: now) && !isLongerThanBefore(at: now) ? .unsteady : .gone
        case .down:
            guard let up, up >= Self.shortestReturn else { return nil }
            return .back
        case .unsteady:
            if let up, up >= Self.calm { return .settled(isAnswering: true) }
            if let down, down >= Self.calm || isLongerThanBefore(at: now) { return .settled(isAnswering: false) }
            return nil
        }
    }

    /// Indicates whether the outage that lasts is longer than those of which the user was told that they come and go.
    private func isLongerThanBefore(at now: ContinuousClock.Instant) -> Bool {
        guard memory.outages > 1, memory.longestOutage > 0, let outage = outageInstant else { return false }
        let longest = Duration.milliseconds(memory.longestOutage)
        return now - outage >= longest + max(Self.excess, longest / 2)
    }

    /// Indicates whether it may go away in a moment.
    func isDoubtful(at now: ContinuousClock.Instant) -> Bool {
        memory.hasAnswered && memory.told == .up && memory.outage == nil && facts.hasNetwork && isJudged(at: now)
            && facts.presence == .silent
    }

    /// Indicates whether it may be found to have gone away with others: in a large outage, not all are asked at once.
    func mayFollow(at now: ContinuousClock.Instant) -> Bool {
        if isDoubtful(at: now) { return true }
        return memory.hasAnswered && memory.told == .up && memory.outage == nil && facts.hasNetwork && isJudged(at: now)
            && facts.presence == .answering && WatchedSilence.isOverdue(facts, at: now)
    }

    /// Indicates whether it may be back in a moment.
    func isReturning(at now: ContinuousClock.Instant) -> Bool {
        memory.told == .down && facts.presence == .answering && upSince != nil && news(at: now) == nil
    }

    /// Indicates whether something about it is decided within the next seconds.
    func isSettling(at now: ContinuousClock.Instant) -> Bool {
        if isDoubtful(at: now) || isReturning(at: now) { return true }
        // What has just begun to answer has yet to end its outage.
        if memory.outage != nil, facts.presence == .answering { return true }
        // One that goes away again and again may stay away this time.
        if memory.told == .unsteady, let downSince, now - downSince < Self.longestDecision { return true }
        let isOpen = memory.outage == nil || downSince == nil || !isJudged(at: now)
        if memory.hasAnswered, facts.hasNetwork, facts.presence != .answering, isOpen { return true }
        if let downSince, memory.told == .up, now - downSince < .seconds(10) { return true }
        // Where nothing answers, or no network leads there, nothing is decided about ways.
        let isWayDue =
            facts.presence == .answering && facts.hasNetwork && ways.isDue(besides: memory.lostWays, at: now)
        return isWayDue || approvals.isDue(besides: memory.approvals, at: now)
            || readiness.isDue(isTold: memory.isToldNotReady, at: now)
            || readiness.isDue(inHistory: memory.unready != nil, at: now)
            || troubles.isDue(besides: memory.troubles, at: now)
            || acceptance.isDue(ofKnown: memory.isToldRefused || memory.isRecordedRefused, at: now)
    }

    /// Indicates whether there is something to be told besides whether it answers.
    func hasFurtherNews(at now: ContinuousClock.Instant) -> Bool {
        hasNewsOfItself(at: now) || hasNewsOfApprovals(at: now)
    }

    /// Indicates whether there is something to be told of its readiness, ways and troubles.
    func hasNewsOfItself(at now: ContinuousClock.Instant) -> Bool {
        readiness.isNews(isTold: memory.isToldNotReady, at: now)
            || !newsOfWays(besides: memory.lostWays, at: now).isEmpty
            || !newsOfTroubles(at: now).isEmpty || isAcceptedAgain(at: now)
    }

    func hasNewsOfApprovals(at now: ContinuousClock.Instant) -> Bool {
        !approvals.news(besides: memory.approvals, at: now).isEmpty
    }

    func newsOfWays(besides lost: Set<Way>, at now: ContinuousClock.Instant) -> [Way] {
        guard saysOfWays(at: now) else { return [] }
        return ways.news(besides: lost, heard: WatchedSilence.lastHeard(facts, before: now), at: now)
    }

    /// Returns the troubles that are to be told. That something else is where it was, or says that it is it, comes after the
    /// message that it does not answer.
    func newsOfTroubles(at now: ContinuousClock.Instant) -> [Trouble] {
        let isGone = facts.presence != .answering && memory.hasAnswered && memory.told == .up
        return troubles.news(besides: memory.troubles, at: now).filter {
            !isGone || $0 != .moved && $0 != .replaced
        }
    }

    /// Indicates whether it is to be told that it accepts this device again. Of one that was gone, that comes with the message
    /// that it is back, or after it.
    func isAcceptedAgain(at now: ContinuousClock.Instant) -> Bool {
        memory.told != .down && acceptance.isNews(ofKnown: memory.isToldRefused, at: now)
    }

    /// Indicates whether it is not ready, or a way is lost or back, which is told if it lasts.
    var mayHaveNewsLater: Bool {
        readiness.isNotReady && !memory.isToldNotReady
            || facts.presence == .answering && facts.hasNetwork && ways.isWaiting(besides: memory.lostWays)
    }
}
