package import Reports

/// The rules by which a user is told of gateways: facts in, messages out. A value.
///
/// What a gateway does and what the user was told of it are kept apart, and a message is what leads from one to the other:
/// so that none is told that has no beginning, and none twice. A message that is not allowed now, because of quiet hours, a
/// mute or a limit, is told later if it is still so then.
package struct NoticeRules: Sendable {
    /// The time for which the message about a gateway waits for others that go away, or come back, with it.
    static let company = Duration.seconds(3)

    /// The time for which no network must lead to gateways, or one must again, before that is told.
    static let networkDelay = Duration.seconds(2)

    /// The time after which a gateway that was remembered is not watched any more, if nothing is said of it.
    static let patience = Duration.seconds(120)

    /// The shortest sleep that is told, in milliseconds.
    static let shortestSleep = 60_000

    /// A time in which no network of this host leads to gateways.
    private struct CutOff: Hashable, Sendable {
        var keys: Set<String>
        let began: Moment
        var isTold = false
        var ended: Moment?
        var isRecorded = false
    }

    /// The wishes of the user.
    package var policy: NoticePolicy

    private var gateways: [String: WatchedGateway] = [:]
    private var remembered: [String: GatewayMemory]
    private let start: ContinuousClock.Instant
    private var limit = HourlyLimit()
    private var networkLimit = HourlyLimit()
    private var cutOff: CutOff?

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - policy: The wishes of the user.
    ///   - memory: What was remembered of gateways, by their keys.
    ///   - moment: The time at which the agent begins to look.
    package init(_ policy: NoticePolicy, _ memory: [String: GatewayMemory] = [:], at moment: Moment) {
        self.policy = policy
        remembered = memory
        start = moment.instant
    }

    /// Indicates whether something is decided within the next seconds, so that the facts should be given soon again.
    package func isSettling(at now: ContinuousClock.Instant) -> Bool {
        cutOff != nil || gateways.values.contains { $0.isSettling(at: now) }
    }

    /// Takes in what is known of all watched gateways.
    ///
    /// - Parameters:
    ///   - facts: The facts. A gateway that is not among them is not watched any more.
    ///   - muted: The keys of the gateways of which nothing is to be told now.
    package mutating func take(
        _ facts: [GatewayFacts],
        muted: Set<String> = [],
        at moment: Moment
    ) -> [NoticeAction] {
        let before = gateways.mapValues(\.memory)
        var actions = observe(facts, at: moment)
        actions += followNetwork(at: moment)
        if policy.quietHours?.contains(minuteOfDay: moment.minuteOfDay) != true {
            actions += tell(besides: muted, at: moment).map(NoticeAction.tell)
        }
        for (key, gateway) in gateways.sorted(by: { $0.key < $1.key }) where gateway.memory != before[key] {
            actions.append(.remember(gateway.facts.subject, gateway.memory))
        }
        return actions
    }

    /// Takes in that this host was asleep, so that nothing is known of gateways in the meantime.
    package mutating func wake(from sleep: Timestamp, at moment: Moment) -> [NoticeAction] {
        let keys = gateways.filter(\.value.memory.hasAnswered).keys.sorted()
        for key in gateways.keys { gateways[key]?.suspendJudgement(at: moment.instant) }
        guard !keys.isEmpty else { return [] }
        var actions = [NoticeAction.unknown(keys: keys, from: sleep, to: moment.time, reason: "this host was asleep")]
        let isLong = moment.time.milliseconds - sleep.milliseconds >= Self.shortestSleep
        if isLong, mayTellOfThisHost(at: moment) {
            var notice = Notice(.asleep, [], at: moment.time)
            notice.since = sleep
            notice.until = moment.time
            notice.reason = "what gateways did meanwhile is not known"
            actions.append(.tell(notice))
        }
        return actions
    }

    private mutating func observe(_ facts: [GatewayFacts], at moment: Moment) -> [NoticeAction] {
        var actions: [NoticeAction] = []
        let keys = Set(facts.map(\.subject.key))
        for key in gateways.keys.sorted() where !keys.contains(key) {
            if gateways[key]?.memory.outage != nil { actions.append(.outageEnded(key: key, at: moment.time)) }
            gateways[key] = nil
            actions.append(.forget(key: key))
        }
        for fact in facts {
            let key = fact.subject.key
            if gateways[key] == nil {
                let memory = remembered.removeValue(forKey: key)
                // What was there before has to find its gateways again.
                let judgedFrom = memory == nil ? moment.instant : max(moment.instant, start + WatchedGateway.grace)
                gateways[key] = WatchedGateway(fact, memory ?? GatewayMemory(), judgedFrom: judgedFrom)
            }
            actions += gateways[key]?.observe(fact, at: moment) ?? []
        }
        guard !remembered.isEmpty, moment.instant - start >= Self.patience else { return actions }
        // The user has unpaired them, or names them no more, while no agent ran.
        for (key, memory) in remembered.sorted(by: { $0.key < $1.key }) {
            if memory.outage != nil { actions.append(.outageEnded(key: key, at: moment.time)) }
            actions.append(.forget(key: key))
        }
        remembered = [:]
        return actions
    }

    // MARK: This host

    private mutating func mayTellOfThisHost(at moment: Moment) -> Bool {
        guard policy.quietHours?.contains(minuteOfDay: moment.minuteOfDay) != true,
            networkLimit.allows(most: policy.mostPerGateway, at: moment.instant), mayTell(at: moment.instant)
        else { return false }
        networkLimit.count(at: moment.instant)
        limit.count(at: moment.instant)
        return true
    }

    private mutating func followNetwork(at moment: Moment) -> [NoticeAction] {
        let lacking = gateways.filter { $0.value.memory.hasAnswered && !$0.value.facts.hasNetwork }.map(\.key)
        guard lacking.isEmpty else {
            var now = cutOff ?? CutOff(keys: [], began: moment)
            now.keys.formUnion(lacking)
            now.ended = nil
            cutOff = now
            guard !now.isTold, moment.instant - now.began.instant >= Self.networkDelay, mayTellOfThisHost(at: moment)
            else { return [] }
            cutOff?.isTold = true
            var notice = Notice(.cutOff, subjects(now.keys), at: moment.time)
            notice.since = now.began.time
            return [.tell(notice)]
        }
        guard var over = cutOff else { return [] }
        let ended = over.ended ?? moment
        over.ended = ended
        cutOff = over
        guard moment.instant - ended.instant >= Self.networkDelay else { return [] }
        var actions: [NoticeAction] = []
        if !over.isRecorded {
            cutOff?.isRecorded = true
            let reason = "no network of this host led to it"
            actions.append(.unknown(keys: over.keys.sorted(), from: over.began.time, to: ended.time, reason: reason))
        }
        guard over.isTold else {
            cutOff = nil
            return actions
        }
        guard mayTellOfThisHost(at: moment) else { return actions }
        cutOff = nil
        var notice = Notice(.reconnected, subjects(over.keys), at: moment.time)
        notice.since = over.began.time
        notice.until = ended.time
        return actions + [.tell(notice)]
    }

    private func subjects(_ keys: Set<String>) -> [Notice.Subject] {
        keys.sorted().compactMap { gateways[$0]?.facts.subject }
    }

    // MARK: Gateways

    private mutating func mayTell(at now: ContinuousClock.Instant) -> Bool { limit.allows(most: policy.most, at: now) }

    private mutating func tell(besides muted: Set<String>, at moment: Moment) -> [Notice] {
        let now = moment.instant
        var news: [(key: String, news: WatchedGateway.News)] = []
        for key in gateways.keys.sorted() where !muted.contains(key) {
            guard let found = gateways[key]?.news(at: now), gateways[key]?.mayTell(policy, at: now) == true else {
                continue
            }
            news.append((key, found))
        }
        var notices: [Notice] = []
        // Those to which the same happens are told of together, and wait for each other for a moment.
        for kind in [WatchedGateway.News.gone, .back] {
            let keys = news.filter { $0.news == kind }.map(\.key)
            guard isComplete(keys, kind, at: now), mayTell(at: now), let notice = together(keys, kind, at: moment)
            else {
                continue
            }
            limit.count(at: now)
            notices.append(notice)
        }
        for (key, found) in news where found != .gone && found != .back && mayTell(at: now) {
            guard let notice = gateways[key]?.tell(found, at: moment) else { continue }
            limit.count(at: now)
            notices.append(notice)
        }
        for key in gateways.keys.sorted() where !muted.contains(key) {
            var limit = limit
            let most = policy.most
            notices +=
                gateways[key]?.takeFurtherNews(policy, at: moment) {
                    guard limit.allows(most: most, at: now) else { return false }
                    limit.count(at: now)
                    return true
                } ?? []
            self.limit = limit
        }
        return notices
    }

    /// Indicates whether those that may follow have followed, or were waited for long enough.
    private func isComplete(_ keys: [String], _ news: WatchedGateway.News, at now: ContinuousClock.Instant) -> Bool {
        guard !keys.isEmpty else { return false }
        guard news == .gone else { return !gateways.values.contains { $0.isReturning(at: now) } }
        let longest = keys.compactMap { gateways[$0]?.downSince }.min().map { now - $0 } ?? .zero
        return longest >= Self.company || !gateways.values.contains { $0.isDoubtful(at: now) }
    }

    private mutating func together(_ keys: [String], _ news: WatchedGateway.News, at moment: Moment) -> Notice? {
        let single = keys.compactMap { gateways[$0]?.tell(news, at: moment) }
        guard single.count > 1, let first = single.first else { return single.first }
        var notice = Notice(first.kind, single.flatMap(\.subjects), at: moment.time)
        notice.since = single.compactMap(\.since).min()
        notice.until = first.until
        if Set(single.map(\.reason)).count == 1 { notice.reason = first.reason }
        return notice
    }
}
