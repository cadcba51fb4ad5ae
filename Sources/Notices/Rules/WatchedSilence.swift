/// The silence of a watched gateway as it lasts, and the time at which it amounts to being gone. A value.
struct WatchedSilence: Hashable, Sendable {
    /// The time after which one of which nothing is known, and that has answered before, counts as gone: nothing leads to
    /// it any more, so that nobody asks it.
    static let longestUnknown = Duration.seconds(5)

    /// The time since its last answer after which one that leaves questions unanswered counts as gone, even before so many
    /// were asked that the map calls it so: with a session, that takes a quarter of a minute.
    static let longestSilence = Duration.seconds(6)

    /// The same since the map calls it suspect, where its last answer is not known: the answers of a session are not all
    /// reported, and one is waited for up to 5 s before that.
    static let longestDoubt = Duration.seconds(1)

    /// The time after which an answer is too old to have been the last one: others have come meanwhile, and were not heard.
    static let longestUnheard = Duration.seconds(12)

    /// The time after which the next answer of one that is asked every 2 s is overdue.
    static let longestPause = Duration.seconds(3)

    /// The time since which nothing is known of it, or it leaves questions unanswered.
    private var unknownSince: ContinuousClock.Instant?
    private var quietSince: ContinuousClock.Instant?

    /// The time at which it was first seen to leave questions unanswered.
    private var quietSeen: ContinuousClock.Instant?

    /// Takes in the presence of a gateway, and returns what it amounts to.
    ///
    /// - Parameters:
    ///   - facts: The gateway as it is known now.
    ///   - judgedFrom: The time until which its silence says nothing.
    ///   - now: The time.
    mutating func presence(
        _ facts: GatewayFacts,
        judgedFrom: ContinuousClock.Instant,
        at now: ContinuousClock.Instant
    ) -> GatewayFacts.Presence {
        unknownSince = facts.presence == .unknown ? unknownSince ?? now : nil
        quietSince =
            facts.presence == .silent
            ? quietSince ?? Self.lastHeard(facts, before: now) ?? (now - Self.longestSilence + Self.longestDoubt) : nil
        if let unknownSince, now - max(unknownSince, judgedFrom) >= Self.longestUnknown { return .gone }
        quietSeen = facts.presence == .silent ? quietSeen ?? now : nil
        // Its other ways are asked only now.
        let isAskedElsewhere =
            facts.ways.values.count(where: \.self) < 2 || quietSeen.map { now - $0 >= Self.longestDoubt } == true
        if let quietSince, now >= judgedFrom, isAskedElsewhere, now - quietSince > Self.longestSilence { return .gone }
        return facts.presence
    }

    /// Indicates whether the next answer of a gateway is overdue, as far as its answers are known.
    static func isOverdue(_ facts: GatewayFacts, at now: ContinuousClock.Instant) -> Bool {
        lastHeard(facts, before: now).map { now - $0 > longestPause } ?? false
    }

    /// Returns the time of the last answer of a gateway that does not answer now; `nil` if that is not known.
    static func lastHeard(
        _ facts: GatewayFacts,
        before now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
        facts.heard.flatMap { now - $0 < Self.longestUnheard ? $0 : nil }
    }
}
