/// The rules by which a user is told of gateways: facts in, messages out. A value.
///
/// What a gateway does and what the user was told of it are kept apart, and a message is what leads from one to the other:
/// so that none is told that has no beginning, and none twice. A message that is not allowed now, because of quiet hours, a
/// mute or a limit, is told later if it is still so then.
package struct NoticeRules: Sendable {
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

    var gateways: [String: WatchedGateway] = [:]
    var limits: MessageLimits
    var cutOff: CutOff?
    var revocations: Revocations
    var remembered: [String: RememberedGateway]

    /// The gateways of the history, with the time since which they are in it.
    var recorded: [String: (gateway: RememberedGateway, time: ContinuousClock.Instant)] = [:]
    let start: ContinuousClock.Instant

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
        self.limits = MessageLimits(limits, at: moment)
        revocations = Revocations(told: revoked)
        remembered = Dictionary(memory.map { ($0.subject.key, $0) }) { first, _ in first }
        start = moment.instant
    }

    /// Returns how soon the facts should be given again.
    package func pace(at now: ContinuousClock.Instant) -> Pace {
        // That no network leads to some keeps no other from being looked at.
        let paces = gateways.values.map { $0.isSettling(at: now) ? .soon : $0.pace(at: now) } + [cutOff?.pace(at: now)]
        if paces.contains(.soon) || revocations.isDue(at: now) { return .soon }
        if paces.contains(.later) || isSomethingNew(at: now) { return .later }
        if gateways.values.contains(where: { $0.memory.told == .unsteady }) { return .later }
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
        // The user may know of a revocation from a session, before the store has it.
        let known = revoked.isEmpty ? [:] : gateways.filter { $0.value.memory.toldFacts.contains(.trouble(.revoked)) }
        return revocations.observe(revoked, known: Set(known.keys), at: moment) + observe(facts, at: moment)
            + followNetwork(at: moment)
    }

    /// Indicates whether there is something to be told of gateways, if it may be: only then it matters which are muted.
    package func hasNews(at moment: Moment) -> Bool {
        !policy.isQuiet(at: moment) && isSomethingNew(at: moment.instant)
    }

    private func isSomethingNew(at now: ContinuousClock.Instant) -> Bool {
        !revocations.news(at: now).isEmpty
            || gateways.values.contains { $0.presenceNews(at: now) != nil || !$0.news(for: .user, at: now).isEmpty }
    }

    /// Tells what there is to be told, and has remembered what has to be.
    package mutating func tell(besides muted: Set<String>, at moment: Moment) -> [NoticeAction] {
        (policy.isQuiet(at: moment) ? [] : notices(besides: muted, at: moment)) + remember(at: moment)
    }
}
