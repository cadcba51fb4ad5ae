package import Reports

/// The rules by which a user is told of gateways: facts in, messages out. A value.
///
/// What a gateway does and what the user was told of it are kept apart, and a message is what leads from one to the other:
/// so that none is told that has no beginning, and none twice. A message that is not allowed now, because of quiet hours, a
/// mute or a limit, is told later if it is still so then.
package struct NoticeRules: Sendable {
    /// The time for which the message about a gateway waits for others that go away, or come back, with it.
    static let company = Duration.seconds(3)

    /// The time after which a gateway that was remembered is not watched any more, if nothing is said of it.
    static let patience = Duration.seconds(120)

    /// The least time between two names of one gateway in the history.
    static let nameInterval = Duration.seconds(60)

    /// The shortest sleep that is told, in milliseconds.
    static let shortestSleep = 60_000

    /// The time until the facts should be given again if none of them changes.
    package enum Pace: Hashable, Sendable {
        /// Something is decided within the next seconds.
        case soon
        /// Something is told as soon as it may be, or is not over.
        case later
        /// All is told.
        case rest
        /// No gateway is watched.
        case never
    }

    /// The wishes of the user.
    package var policy: NoticePolicy

    private(set) var gateways: [String: WatchedGateway] = [:]
    private var remembered: [String: RememberedGateway]

    /// The gateways of the history, with the time since which they are in it.
    private var recorded: [String: (gateway: RememberedGateway, time: ContinuousClock.Instant)] = [:]
    private let start: ContinuousClock.Instant
    private var limit: HourlyLimit
    private var networkLimit: HourlyLimit

    /// The messages about devices that wait for an approval, at all gateways.
    private var approvalLimit: HourlyLimit

    /// The messages about gateways that are not the user's own.
    private var otherLimit: HourlyLimit

    /// The number of messages that were counted when the limits were remembered last.
    private var rememberedMessages = 0
    private var network = WatchedNetwork()
    private var revocations: WatchedRevocations

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - policy: The wishes of the user.
    ///   - memory: What was remembered of gateways.
    ///   - revoked: The identifiers of the revocations that were told.
    ///   - limits: The messages of the last hour.
    ///   - moment: The time at which the agent begins to look.
    package init(
        _ policy: NoticePolicy,
        _ memory: [RememberedGateway] = [],
        revoked: Set<String> = [],
        limits: NoticeLimits = NoticeLimits(),
        at moment: Moment
    ) {
        self.policy = policy
        limit = HourlyLimit(limits.all, at: moment)
        networkLimit = HourlyLimit(limits.network, at: moment)
        approvalLimit = HourlyLimit(limits.approvals, at: moment)
        otherLimit = HourlyLimit(limits.others, at: moment)
        revocations = WatchedRevocations(told: revoked)
        remembered = Dictionary(memory.map { ($0.subject.key, $0) }) { first, _ in first }
        start = moment.instant
    }

    /// Returns how soon the facts should be given again.
    package func pace(at now: ContinuousClock.Instant) -> Pace {
        if let pace = network.pace(at: now) { return pace }
        if gateways.values.contains(where: { $0.isSettling(at: now) }) || revocations.isDue(at: now) { return .soon }
        let mayHaveNewsLater = gateways.values.contains { $0.memory.told == .unsteady || $0.mayHaveNewsLater }
        if isSomethingNew(at: now) || mayHaveNewsLater {
            return .later
        }
        return gateways.isEmpty && remembered.isEmpty ? .never : .rest
    }

    /// Takes in what is known of all watched gateways, and tells what there is to be told.
    ///
    /// - Parameters:
    ///   - facts: The facts. A gateway that is not among them is not watched any more.
    ///   - revoked: What gateways have revoked.
    ///   - muted: The keys of the gateways of which nothing is to be told now.
    package mutating func take(
        _ facts: [GatewayFacts],
        revoked: [Revocation] = [],
        muted: Set<String> = [],
        at moment: Moment
    ) -> [NoticeAction] {
        note(facts, revoked: revoked, at: moment) + tell(besides: muted, at: moment)
    }

    /// Takes in what is known of all watched gateways, and what gateways have revoked.
    package mutating func note(
        _ facts: [GatewayFacts],
        revoked: [Revocation] = [],
        at moment: Moment
    ) -> [NoticeAction] {
        // As a session sees it, it was told where the store took its time.
        let known = gateways
        var revocations = revocations
        let ends = revocations.observe(revoked, at: moment) { known[$0]?.memory.troubles.contains(.revoked) == true }
        self.revocations = revocations
        let actions = ends + observe(facts, at: moment)
        return actions + followNetwork(at: moment)
    }

    /// Indicates whether there is something to be told of gateways, if it may be: only then it matters which are muted.
    package func hasNews(at moment: Moment) -> Bool {
        policy.quietHours?.contains(minuteOfDay: moment.minuteOfDay) != true && isSomethingNew(at: moment.instant)
    }

    private func isSomethingNew(at now: ContinuousClock.Instant) -> Bool {
        revocations.isNews(at: now)
            || gateways.values.contains { $0.news(at: now) != nil || $0.hasFurtherNews(at: now) }
    }

    /// Tells what there is to be told, and has remembered what has to be.
    package mutating func tell(besides muted: Set<String>, at moment: Moment) -> [NoticeAction] {
        var actions: [NoticeAction] = []
        if policy.quietHours?.contains(minuteOfDay: moment.minuteOfDay) != true {
            actions = notices(besides: muted, at: moment).map(NoticeAction.tell)
            var revocations = revocations
            actions += revocations.take(policy, besides: muted, at: moment) { countOne(at: moment) }
            self.revocations = revocations
        }
        return actions + remember(at: moment)
    }

    /// Has remembered what is new. Of a gateway that has never answered and has no name there is nothing to remember.
    private mutating func remember(at moment: Moment) -> [NoticeAction] {
        var actions: [NoticeAction] = []
        let messages = limit.total + networkLimit.total + approvalLimit.total + otherLimit.total
        if messages != rememberedMessages {
            rememberedMessages = messages
            let limits = NoticeLimits(all: limit, network: networkLimit, approvals: approvalLimit, others: otherLimit)
            actions.append(.rememberLimits(limits))
        }
        for (key, gateway) in gateways.sorted(by: { $0.key < $1.key }) {
            let (subject, memory) = (gateway.facts.subject, gateway.memory)
            if let (last, time) = recorded[key] {
                // A name is the network's, which must not decide how often something is written.
                let isRenamed =
                    last.subject.shownName != subject.shownName && moment.instant - time >= Self.nameInterval
                guard last.memory != memory || isRenamed else { continue }
            } else if memory == GatewayMemory() {
                continue
            }
            recorded[key] = (RememberedGateway(subject, memory), moment.instant)
            actions.append(.remember(subject, memory))
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
            if gateways[key]?.memory.unready != nil { actions.append(.unreadyEnded(key: key, at: moment.time)) }
            gateways[key] = nil
            recorded[key] = nil
            actions.append(.forget(key: key))
        }
        for fact in facts {
            let key = fact.subject.key
            if gateways[key] == nil {
                let last = remembered.removeValue(forKey: key)
                if let last { recorded[key] = (last, start) }
                // What was there before has to find its gateways again.
                let judgedFrom = last == nil ? moment.instant : max(moment.instant, start + WatchedGateway.grace)
                gateways[key] = WatchedGateway(
                    fact,
                    last?.memory ?? GatewayMemory(),
                    judgedFrom: judgedFrom,
                    at: moment
                )
            }
            actions += gateways[key]?.observe(fact, at: moment) ?? []
        }
        guard !remembered.isEmpty, moment.instant - start >= Self.patience else { return actions }
        // The user has unpaired them, or names them no more, while no agent ran.
        for (key, last) in remembered.sorted(by: { $0.key < $1.key }) {
            if last.memory.outage != nil { actions.append(.outageEnded(key: key, at: moment.time)) }
            if last.memory.unready != nil { actions.append(.unreadyEnded(key: key, at: moment.time)) }
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
        networkLimit.count(at: moment)
        limit.count(at: moment)
        return true
    }

    private mutating func followNetwork(at moment: Moment) -> [NoticeAction] {
        let lacking = gateways.filter { $0.value.memory.hasAnswered && !$0.value.facts.hasNetwork }.map(\.key)
        var network = network
        let known = gateways
        let reasons = Set(lacking.map { gateways[$0]?.facts.networkTrouble })
        let reason = reasons.count == 1 ? reasons.first.flatMap(\.self) : nil
        let actions = network.observe(lacking: lacking, reason, at: moment) { keys in
            keys.compactMap { known[$0]?.facts.subject }
        } mayTell: {
            mayTellOfThisHost(at: moment)
        }
        self.network = network
        return actions
    }

    // MARK: Gateways

    private mutating func mayTell(at now: ContinuousClock.Instant) -> Bool { limit.allows(most: policy.most, at: now) }

    /// Counts a message that others decide on, if one more is allowed in all.
    package mutating func countOne(at moment: Moment) -> Bool {
        guard mayTell(at: moment.instant) else { return false }
        limit.count(at: moment)
        return true
    }

    /// The most messages within an hour about gateways that are not the user's own: anybody can make up any number of them.
    private var mostOfOthers: Int { max(1, policy.most / 2) }

    /// The most messages within an hour about devices that wait for an approval: anybody can ask for one.
    private var mostOfApprovals: Int { max(1, policy.most / 3) }

    private mutating func notices(besides muted: Set<String>, at moment: Moment) -> [Notice] {
        presenceNotices(besides: muted, at: moment) + furtherNotices(besides: muted, at: moment)
    }

    /// Takes the messages that gateways go away and come back. Those about the user's own are limited by nothing but that what
    /// goes away again and again is one message, so that nothing else can keep them back.
    private mutating func presenceNotices(besides muted: Set<String>, at moment: Moment) -> [Notice] {
        var notices: [Notice] = []
        for isOwn in [true, false] {
            var news: [(key: String, news: WatchedGateway.News)] = []
            for key in gateways.keys.sorted() where !muted.contains(key) && gateways[key]?.facts.isOwn == isOwn {
                guard let found = gateways[key]?.news(at: moment.instant),
                    isOwn || gateways[key]?.mayTell(policy, at: moment.instant) == true
                else { continue }
                news.append((key, found))
            }
            // Those to which the same happens are told of together, and wait for each other for a moment.
            for kind in [WatchedGateway.News.gone, .back] {
                let keys = news.filter { $0.news == kind }.map(\.key)
                guard isComplete(keys, kind, isOwn, at: moment.instant), mayTell(isOwn, at: moment.instant),
                    let notice = together(keys, kind, at: moment)
                else { continue }
                count(isOwn, at: moment)
                notices.append(notice)
            }
            for (key, found) in news where found != .gone && found != .back && mayTell(isOwn, at: moment.instant) {
                guard let notice = gateways[key]?.tell(found, at: moment) else { continue }
                count(isOwn, at: moment)
                notices.append(notice)
            }
        }
        return notices
    }

    /// Indicates whether one more message that a gateway goes away or comes back is allowed in all.
    private mutating func mayTell(_ isOwn: Bool, at now: ContinuousClock.Instant) -> Bool {
        isOwn || mayTell(at: now) && otherLimit.allows(most: mostOfOthers, at: now)
    }

    /// Returns the time at which the first message about a gateway that is held back is allowed; `nil` if none is.
    func end(of gateway: WatchedGateway, at now: ContinuousClock.Instant) -> Timestamp? {
        gateway.ends(policy, at: now).compactMap { isApproval, end in
            [
                end, limit.end(most: policy.most, at: now),
                gateway.facts.isOwn ? nil : otherLimit.end(most: mostOfOthers, at: now),
                isApproval ? approvalLimit.end(most: mostOfApprovals, at: now) : nil,
            ]
            .compactMap(\.self).max()
        }
        .min()
    }

    private mutating func count(_ isOwn: Bool, at moment: Moment) {
        limit.count(at: moment)
        if !isOwn { otherLimit.count(at: moment) }
    }

    private mutating func furtherNotices(besides muted: Set<String>, at moment: Moment) -> [Notice] {
        let now = moment.instant
        var notices: [Notice] = []
        for key in gateways.keys.sorted() where !muted.contains(key) {
            var (limit, approvalLimit, otherLimit) = (limit, approvalLimit, otherLimit)
            let (most, mostOfOthers, mostOfApprovals) = (policy.most, mostOfOthers, mostOfApprovals)
            let isOwn = gateways[key]?.facts.isOwn == true
            notices +=
                gateways[key]?.takeFurtherNews(policy, at: moment) { kind in
                    guard limit.allows(most: most, at: now), isOwn || otherLimit.allows(most: mostOfOthers, at: now)
                    else {
                        return false
                    }
                    if kind == .approval {
                        guard approvalLimit.allows(most: mostOfApprovals, at: now) else { return false }
                        approvalLimit.count(at: moment)
                    }
                    if !isOwn { otherLimit.count(at: moment) }
                    limit.count(at: moment)
                    return true
                } ?? []
            (self.limit, self.approvalLimit, self.otherLimit) = (limit, approvalLimit, otherLimit)
        }
        return notices
    }

    /// Indicates whether those that may follow have followed, or were waited for long enough. The user's own wait for no
    /// others.
    private func isComplete(
        _ keys: [String],
        _ news: WatchedGateway.News,
        _ isOwn: Bool,
        at now: ContinuousClock.Instant
    ) -> Bool {
        guard !keys.isEmpty else { return false }
        let others = gateways.values.filter { !isOwn || $0.facts.isOwn }
        if news == .gone {
            let longest = keys.compactMap { gateways[$0]?.downSince }.min().map { now - $0 } ?? .zero
            return longest >= Self.company || !others.contains { $0.mayFollow(at: now) }
        }
        let longest = keys.compactMap { gateways[$0]?.upSince }.min().map { now - $0 } ?? .zero
        return longest >= WatchedGateway.shortestReturn + Self.company || !others.contains { $0.isReturning(at: now) }
    }

    private mutating func together(_ keys: [String], _ news: WatchedGateway.News, at moment: Moment) -> Notice? {
        let single = keys.compactMap { gateways[$0]?.tell(news, at: moment) }
        guard single.count > 1, let first = single.first else {
            guard var notice = single.first, let key = keys.first else { return nil }
            gateways[key]?.addAcceptance(to: &notice, at: moment)
            return notice
        }
        var notice = Notice(first.kind, single.flatMap(\.subjects), at: moment.time)
        notice.since = single.compactMap(\.since).min()
        notice.until = first.until
        if Set(single.map(\.reason)).count == 1 { notice.reason = first.reason }
        return notice
    }
}
