internal import Reports

/// The access that gateways have revoked, and what is still to be told of that. A value.
///
/// A gateway that has revoked everything is paired no more, and so not watched: what is told of it does not depend on that.
struct WatchedRevocations: Hashable, Sendable {
    /// The time for which a message about a gateway waits for what it revokes at the same moment.
    static let company = Duration.seconds(2)

    /// The time after which a revocation is not told any more, in milliseconds: the user has seen it meanwhile.
    static let longestWait = 86_400_000

    /// Those that were told.
    private var told: Set<String>

    /// Those that this run has given to the history, which takes each once.
    private var recorded: Set<String> = []

    /// Those that are to be told, and the time at which the first one of each gateway was seen.
    private var waiting: [Revocation] = []
    private var seen: [String: ContinuousClock.Instant] = [:]

    /// The messages about each gateway. Its limit for other messages has ended with its pairing.
    private var limits: [String: HourlyLimit] = [:]

    /// - Parameter told: The identifiers of those that were told.
    init(told: Set<String>) {
        self.told = told
    }

    /// Takes in what gateways have revoked and the user has not got back.
    ///
    /// - Parameter isTold: Says whether the user was told already that a gateway has revoked something.
    mutating func observe(_ found: [Revocation], at moment: Moment, isTold: (String) -> Bool) -> [NoticeAction] {
        let known = found.filter { !told.contains($0.id) && isTold($0.subject.key) }.map(\.id)
        told.formUnion(known)
        waiting = found.filter {
            !told.contains($0.id) && moment.time.milliseconds - $0.time.milliseconds < Self.longestWait
        }
        let keys = Set(waiting.map(\.subject.key))
        seen = seen.filter { keys.contains($0.key) }
        for key in keys where seen[key] == nil { seen[key] = moment.instant }
        // One that is not found now may be again, such as when the user ends the pairing that was in its place: neither is
        // forgotten. Both grow with what gateways have revoked, and with nothing else.
        let new = waiting.filter { recorded.insert($0.id).inserted }
        return new.map { .happened($0.subject, .revoked, at: $0.time) }
            + (known.isEmpty ? [] : [.toldRevoked(ids: known)])
    }

    /// Indicates whether something is to be told, if it may be.
    func isNews(at now: ContinuousClock.Instant) -> Bool { seen.values.contains { now - $0 >= Self.company } }

    /// Indicates whether something will be to be told within the next seconds.
    func isDue(at now: ContinuousClock.Instant) -> Bool { seen.values.contains { now - $0 < Self.company } }

    /// Takes the messages, one for each gateway.
    ///
    /// - Parameters:
    ///   - muted: The keys of the gateways of which nothing is to be told now.
    ///   - isAllowed: Returns `true` if one more message is allowed in all, and counts it.
    mutating func take(
        _ policy: NoticePolicy,
        besides muted: Set<String>,
        at moment: Moment,
        isAllowed: () -> Bool
    ) -> [NoticeAction] {
        var actions: [NoticeAction] = []
        for (key, time) in seen.sorted(by: { $0.key < $1.key })
        where !muted.contains(key) && moment.instant - time >= Self.company {
            let own = waiting.filter { $0.subject.key == key }
            var limit = limits[key] ?? HourlyLimit()
            guard let last = own.max(by: { $0.time < $1.time }),
                limit.allows(most: policy.mostPerGateway, at: moment.instant), isAllowed()
            else { continue }
            limit.count(at: moment)
            limits[key] = limit
            var notice = Notice(.revoked, [last.subject], at: moment.time)
            notice.since = own.map(\.time).min()
            notice.reason =
                own.contains(where: \.isWhole)
                ? Trouble.revoked.meaning : "other access to it is left. Pair with it again to get back the rest"
            actions += [.tell(notice), .toldRevoked(ids: own.map(\.id))]
            told.formUnion(own.map(\.id))
            waiting.removeAll { $0.subject.key == key }
            seen[key] = nil
        }
        return actions
    }
}
