/// The rule by which a user is told of gateways that were never seen before on the local network: the ones that are there
/// in, and the messages out. A value.
///
/// Anybody can make up any number of gateways, so that several are one message, and the messages within an hour are few.
package struct NewGateways: Sendable {
    /// The maximum number of gateways that are known; of more, the oldest are forgotten.
    package static let most = 4_096

    /// The time in which all that are found are known, where none were before: they are not new, but the look is.
    private static let learningInterval = Duration.seconds(60)

    private var known: Set<String>
    private var order: [String]

    /// The times since which those are there that were not told yet.
    private var waiting: [String: ContinuousClock.Instant] = [:]
    private var limit = HourlyLimit()

    /// The time until which those that are found are known; `nil` if some were known from the beginning.
    private var learnsUntil: ContinuousClock.Instant?
    private let hasMemory: Bool

    /// Creates the rule.
    ///
    /// - Parameter known: The keys of the gateways that are known, the oldest first.
    package init(known: [String]) {
        order = known
        self.known = Set(known)
        hasMemory = !known.isEmpty
    }

    /// Indicates whether one waits to be told.
    package var isWaiting: Bool { !waiting.isEmpty }

    /// Takes in the gateways that are there.
    ///
    /// - Parameters:
    ///   - found: Those on the local network that have answered and are not paired.
    ///   - paired: The keys of those that are paired. They are known, so that none of them is new once it is unpaired.
    ///   - formerKeys: The keys that they may have had before, while no agent ran: one that is known under such a key is not new.
    ///   - isAllowed: Says whether one more message is allowed in all, and counts it.
    /// - Returns: The message, if there is one, and the gateways that are known from now on.
    package mutating func take(
        _ found: [Notice.Subject],
        paired: [String] = [],
        formerKeys: [String: [String]] = [:],
        _ policy: NoticePolicy,
        at moment: Moment,
        isAllowed: () -> Bool
    ) -> [NoticeAction] {
        if !hasMemory, learnsUntil == nil, policy.tellsNewGateways {
            learnsUntil = moment.instant + Self.learningInterval
        }
        let learned = policy.tellsNewGateways ? learn(keys: paired) : []
        return learned + news(of: found, formerKeys, policy, at: moment, isAllowed: isAllowed)
    }

    private mutating func news(
        of found: [Notice.Subject],
        _ formerKeys: [String: [String]],
        _ policy: NoticePolicy,
        at moment: Moment,
        isAllowed: () -> Bool
    ) -> [NoticeAction] {
        let now = moment.instant
        guard policy.tellsNewGateways else {
            waiting = [:]
            learnsUntil = nil
            return []
        }
        var new = found.filter { !known.contains($0.key) }
        if let learnsUntil, now < learnsUntil { return learn(keys: new.map(\.key)) }
        let renamed = new.filter { formerKeys[$0.key]?.contains(where: known.contains) == true }
        new.removeAll(where: renamed.contains)
        let learned = learn(keys: renamed.map(\.key))
        let keys = Set(new.map(\.key))
        waiting = waiting.filter { keys.contains($0.key) }
        for subject in new.prefix(Self.most) where waiting[subject.key] == nil { waiting[subject.key] = now }
        let rule = Notice.Kind.newGateway.rule
        let due = new.filter { subject in waiting[subject.key].map { now - $0 >= rule.hold } == true }
        let oldest = due.compactMap { waiting[$0.key] }.min()
        let isComplete = due.count == new.count || oldest.map { now - $0 >= rule.hold + rule.groupInterval } == true
        guard !due.isEmpty, isComplete,
            !policy.isQuiet(at: moment), limit.allows(most: policy.mostPerGateway, at: now), isAllowed()
        else { return learned }
        limit.count(at: moment)
        for subject in due { waiting[subject.key] = nil }
        var notice = Notice(.newGateway, due, at: moment.time)
        notice.reason = "`clawradar scan` shows where"
        return learned + [.tell(notice)] + learn(keys: due.map(\.key))
    }

    private mutating func learn(keys found: [String]) -> [NoticeAction] {
        let keys = found.filter { known.insert($0).inserted }
        guard !keys.isEmpty else { return [] }
        order += keys
        let excess = order.count - Self.most
        if excess > 0 {
            known.subtract(order.prefix(excess))
            order.removeFirst(excess)
        }
        return [.learn(keys: keys)]
    }
}
