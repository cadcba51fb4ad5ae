/// The ways over which a watched gateway has answered, as they last, and what is to be told of them. A value.
struct WatchedWays: Hashable, Sendable {
    /// The time for which a way must be lost before that is told, and since which the gateway must have answered over
    /// another one, or it may be about to be gone altogether.
    static let delay = Duration.milliseconds(1_500)

    /// The same where it is not known when the gateway last answered: a session waits that long for an answer.
    static let longestDelay = Duration.seconds(5)

    /// The time for which a way must be back before that is told.
    static let shortestReturn = Duration.seconds(10)

    /// The time for which a way must be lost that was lost and back a short time ago: one that comes and goes is not told of
    /// each time, and leaves room for other messages.
    static let delayOfUnsteady = Duration.seconds(60)

    /// The ways, with the time since which each is as it is.
    private var ways: [Way: Lasting]

    /// The times at which lost ways were back.
    private var returned: [Way: ContinuousClock.Instant]

    /// - Parameters:
    ///   - lost: The lost ways that were told.
    ///   - returned: The times at which lost ways were back.
    init(lost: Set<Way>, returned: [Way: ContinuousClock.Instant], since: ContinuousClock.Instant) {
        self.returned = returned
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

    /// Forgets ways of which nothing more is to be told.
    mutating func forget(_ ways: Set<Way>) {
        for way in ways { self.ways[way] = nil }
    }

    /// Takes in that nothing is known of them: all last from a time on.
    mutating func begin(at time: ContinuousClock.Instant) {
        for way in ways.keys { ways[way]?.since = time }
    }

    /// Returns the ways that are lost or back for long enough to be told.
    ///
    /// - Parameters:
    ///   - lost: The lost ways that were told.
    ///   - heard: The time of the last answer of the gateway, if it is known.
    func news(besides lost: Set<Way>, heard: ContinuousClock.Instant?, at now: ContinuousClock.Instant) -> [Way] {
        ways.filter { way, lasting in
            guard lasting.isSo == lost.contains(way), now - lasting.since >= delay(of: way, lasting) else {
                return false
            }
            guard !lasting.isSo else { return true }
            return heard.map { $0 > lasting.since } ?? (now - lasting.since >= Self.longestDelay)
        }
        .keys.sorted()
    }

    /// The time since which a way is as it is.
    func since(_ way: Way) -> ContinuousClock.Instant? { ways[way]?.since }

    /// Indicates whether one is to be told of within the next seconds.
    func isDue(besides lost: Set<Way>, at now: ContinuousClock.Instant) -> Bool {
        ways.contains { way, lasting in
            guard lasting.isSo == lost.contains(way) else { return false }
            let left = delay(of: way, lasting) - (now - lasting.since)
            return left + Self.longestDelay > .zero && left <= Self.shortestReturn
        }
    }

    /// Indicates whether one is not as it was told.
    func isWaiting(besides lost: Set<Way>) -> Bool { ways.contains { $0.value.isSo == lost.contains($0.key) } }

    /// Returns the time for which a way must be as it is before that is told.
    private func delay(of way: Way, _ lasting: Lasting) -> Duration {
        guard !lasting.isSo else { return Self.shortestReturn }
        let isUnsteady = returned[way].map { lasting.since - $0 < WatchedGateway.calm } ?? false
        return isUnsteady ? Self.delayOfUnsteady : Self.delay
    }
}
