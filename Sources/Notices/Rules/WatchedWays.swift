/// The ways over which a watched gateway has answered, as they last, and what is to be told of them. A value.
struct WatchedWays: Hashable, Sendable {
    /// The time for which a way must be lost before that is told. It has left four questions unanswered by then; this is for
    /// the other ways of a gateway that is about to be gone altogether.
    static let delay = Duration.seconds(2)

    /// The time for which a way must be back before that is told.
    static let shortestReturn = Duration.seconds(10)

    /// The time for which a way must be lost that was lost and back a short time ago: one that comes and goes is not told of
    /// each time, and leaves room for other messages.
    static let delayOfUnsteady = Duration.seconds(60)

    /// The ways, with the time since which each is as it is.
    private var ways: [Way: Lasting]

    /// The times at which lost ways were back.
    private var returned: [Way: ContinuousClock.Instant] = [:]

    /// - Parameter lost: The lost ways that were told.
    init(lost: Set<Way>, since: ContinuousClock.Instant) {
        // What was told before stays told until it is over.
        ways = Dictionary(uniqueKeysWithValues: lost.map { ($0, Lasting(isSo: false, since: since)) })
    }

    /// Takes in over which ways it answers.
    mutating func observe(_ facts: [Way: Bool], at now: ContinuousClock.Instant) {
        for (way, answers) in facts {
            if let former = ways[way] {
                if answers, !former.isSo { returned[way] = now }
                ways[way]?.note(answers, at: now)
            } else if answers {
                ways[way] = Lasting(isSo: true, since: now)
            }
        }
    }

    /// Takes in that nothing is known of them: all last from a time on.
    mutating func begin(at time: ContinuousClock.Instant) {
        for way in ways.keys { ways[way]?.since = time }
    }

    /// Returns the ways that are lost or back for long enough to be told.
    ///
    /// - Parameter lost: The lost ways that were told.
    func news(besides lost: Set<Way>, at now: ContinuousClock.Instant) -> [Way] {
        ways.filter { way, lasting in
            lasting.has(lost.contains(way), for: delay(of: way, isLost: !lasting.isSo, at: lasting.since), at: now)
        }
        .keys.sorted()
    }

    /// Indicates whether one is to be told of within the next seconds.
    func isDue(besides lost: Set<Way>, at now: ContinuousClock.Instant) -> Bool {
        ways.contains { way, lasting in
            guard lasting.isSo == lost.contains(way) else { return false }
            let left = delay(of: way, isLost: !lasting.isSo, at: lasting.since) - (now - lasting.since)
            return left > .seconds(-1) && left <= Self.shortestReturn
        }
    }

    /// Returns the time for which a way must be as it is before that is told.
    private func delay(of way: Way, isLost: Bool, at since: ContinuousClock.Instant) -> Duration {
        guard isLost else { return Self.shortestReturn }
        let isUnsteady = returned[way].map { since - $0 < WatchedGateway.calm } ?? false
        return isUnsteady ? Self.delayOfUnsteady : Self.delay
    }
}
