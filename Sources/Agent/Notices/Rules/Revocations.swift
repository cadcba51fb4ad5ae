internal import Reports

/// The access that gateways have revoked, and what is still to be told of that. A value.
///
/// A gateway that has revoked everything is paired no more, and so not watched: what is told of it does not depend on that.
struct Revocations: Hashable, Sendable {
    /// The time after which a revocation is not told any more, in milliseconds: the user has seen it meanwhile.
    static let lifetime = 86_400_000

    /// Those that were told.
    private var told: Set<String>

    /// Those that this run has given to the history, which takes each once.
    private var recorded: Set<String> = []

    /// Those that are to be told, and the time at which the first one of each gateway was seen.
    private var waiting: [Revocation] = []
    private var seen: [String: ContinuousClock.Instant] = [:]

    /// - Parameter told: The identifiers of those that were told.
    init(told: Set<String>) {
        self.told = told
    }

    /// Takes in what gateways have revoked and the user has not got back.
    ///
    /// - Parameter known: The keys of the gateways of which the user was told already that they have revoked something.
    mutating func observe(_ found: [Revocation], known: Set<String>, at moment: Moment) -> [NoticeAction] {
        let learned = found.filter { !told.contains($0.id) && known.contains($0.subject.key) }.map(\.id)
        told.formUnion(learned)
        waiting = found.filter {
            !told.contains($0.id) && moment.time.milliseconds - $0.time.milliseconds < Self.lifetime
        }
        let keys = Set(waiting.map(\.subject.key))
        seen = seen.filter { keys.contains($0.key) }
        for key in keys where seen[key] == nil { seen[key] = moment.instant }
        // One that is not found now may be again, such as when the user ends the pairing that was in its place: neither is
        // forgotten. Both grow with what gateways have revoked, and with nothing else.
        let new = waiting.filter { recorded.insert($0.id).inserted }
        return new.map { .happened($0.subject, .revoked, at: $0.time) }
            + (learned.isEmpty ? [] : [.toldRevoked(ids: learned)])
    }

    /// Indicates whether something will be to be told within the next seconds.
    func isDue(at now: ContinuousClock.Instant) -> Bool { seen.count > news(at: now).count }

    /// Returns the keys of the gateways of which something is to be told. Each waits for what it revokes at the same moment.
    func news(at now: ContinuousClock.Instant) -> [String] {
        seen.filter { now - $0.value >= Notice.Kind.revoked.rule.groupInterval }.keys.sorted()
    }

    /// Takes the message about a gateway.
    mutating func tell(_ key: String, at moment: Moment) -> [NoticeAction] {
        let own = waiting.filter { $0.subject.key == key }
        guard let last = own.max(by: { $0.time < $1.time }) else { return [] }
        var notice = Notice(.revoked, [last.subject], at: moment.time)
        notice.since = own.map(\.time).min()
        notice.reason =
            own.contains(where: \.isWhole)
            ? Trouble.revoked.meaning : "other access to it is left. Pair with it again to get back the rest"
        told.formUnion(own.map(\.id))
        waiting.removeAll { $0.subject.key == key }
        seen[key] = nil
        return [.tell(notice), .toldRevoked(ids: own.map(\.id))]
    }
}
