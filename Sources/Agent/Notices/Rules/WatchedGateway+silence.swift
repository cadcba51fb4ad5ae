internal import Reports

/// The silence of a watched gateway: what it amounts to before the map has decided. Nothing else here measures it.
extension WatchedGateway {
    /// The time for which nothing must be known of one that has answered before, to count as gone: nothing leads to it any
    /// more, so that nobody asks it.
    private static let unknownHold = Duration.seconds(5)

    /// The time since its last answer after which one that leaves questions unanswered counts as gone, even before so many
    /// were asked that the map calls it so: with a session, that takes a quarter of a minute.
    private static let silenceHold = Duration.seconds(6)

    /// The same since the map calls it suspect, where its last answer is not known: the answers of a session are not all
    /// reported, and one is waited for up to 5 s before that. In that time, its other ways are asked, too.
    private static let suspectHold = Duration.seconds(1)

    /// The time after which an answer is too old to have been the last one: others have come meanwhile, and were not heard.
    private static let answerLifetime = Duration.seconds(12)

    /// The time after which the next answer of one that is asked every 2 s is overdue.
    private static let answerLimit = Duration.seconds(3)

    /// Returns what its presence amounts to.
    func presence(at now: ContinuousClock.Instant) -> GatewayFacts.Presence {
        let time = now - presenceSince
        switch facts.presence {
        case .unknown where min(time, now - judgedFrom) >= Self.unknownHold: return .gone
        case .silent where !facts.awaitsNeighbours && isJudged(at: now) && now - quietSince > Self.silenceHold:
            return facts.ways.values.count(where: \.self) < 2 || time >= Self.suspectHold ? .gone : .silent
        default: return facts.presence
        }
    }

    /// Returns the time since which one that has just fallen silent was not heard.
    static func quietSince(_ facts: GatewayFacts, at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        lastHeard(facts, before: now) ?? now - silenceHold + suspectHold
    }

    /// Returns the time of its last answer; `nil` if that is not known.
    static func lastHeard(_ facts: GatewayFacts, before now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        facts.heard.flatMap { now - $0 < answerLifetime ? $0 : nil }
    }

    /// Returns the time of its last answer, for one that does not answer now; the present time if it is not known.
    func lastAnswer(before moment: Moment) -> Timestamp {
        Self.lastHeard(facts, before: moment.instant).map { moment.time.advanced(by: $0 - moment.instant) }
            ?? moment.time
    }

    /// Indicates whether its next answer is overdue, as far as its answers are known.
    func isOverdue(at now: ContinuousClock.Instant) -> Bool {
        Self.lastHeard(facts, before: now).map { now - $0 > Self.answerLimit } ?? false
    }
}
