/// The ways over which a watched gateway has answered, as they last, and what is to be told of them. A value.
struct WatchedWays: Hashable, Sendable {
    /// The time for which a way must be lost or back before that is told.
    static let delay = Duration.seconds(10)

    /// The ways, with the time since which each is as it is.
    private var ways: [Way: Lasting]

    /// - Parameter lost: The lost ways that were told.
    init(lost: Set<Way>, since: ContinuousClock.Instant) {
        // What was told before stays told until it is over.
        ways = Dictionary(uniqueKeysWithValues: lost.map { ($0, Lasting(isSo: false, since: since)) })
    }

    /// Takes in over which ways it answers.
    mutating func observe(_ facts: [Way: Bool], at now: ContinuousClock.Instant) {
        for (way, answers) in facts {
            if ways[way] != nil {
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
        ways.filter { $0.value.has(lost.contains($0.key), for: Self.delay, at: now) }.keys.sorted()
    }

    /// Indicates whether one is to be told of within the next seconds.
    func isDue(besides lost: Set<Way>, at now: ContinuousClock.Instant) -> Bool {
        ways.contains { $0.value.isSo == lost.contains($0.key) && now - $0.value.since < Self.delay + .seconds(1) }
    }
}
