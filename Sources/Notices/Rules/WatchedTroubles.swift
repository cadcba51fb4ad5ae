/// The troubles that stand in the way of sessions with a watched gateway, while they last, and which of them are to be
/// told. A value.
struct WatchedTroubles: Hashable, Sendable {
    /// The time for which a trouble must last before it is told.
    static let delay = Duration.seconds(5)

    /// The troubles that were seen, with the time since which they are there or not.
    private var troubles: [Trouble: Lasting]

    /// - Parameter told: The troubles that were told.
    init(told: Set<Trouble>, since: ContinuousClock.Instant) {
        // What was told before stays told until it is over.
        troubles = Dictionary(uniqueKeysWithValues: told.map { ($0, Lasting(isSo: true, since: since)) })
    }

    /// Takes in which troubles there are.
    ///
    /// - Returns: Those that are over: they are told again if they come back.
    mutating func observe(_ found: Set<Trouble>, at now: ContinuousClock.Instant) -> Set<Trouble> {
        var over: Set<Trouble> = []
        for trouble in Set(troubles.keys).union(found) {
            if troubles[trouble] == nil { troubles[trouble] = Lasting(isSo: true, since: now) }
            troubles[trouble]?.note(found.contains(trouble), at: now)
            // It is told again only if it was away for long.
            if troubles[trouble]?.has(false, for: WatchedGateway.calm, at: now) == true {
                troubles[trouble] = nil
                over.insert(trouble)
            }
        }
        return over
    }

    /// Returns the troubles that last for long enough to be told.
    func news(besides told: Set<Trouble>, at now: ContinuousClock.Instant) -> [Trouble] {
        Trouble.allCases.filter {
            !told.contains($0) && troubles[$0]?.has(true, for: Self.delay, at: now) == true
        }
    }

    /// The time since which a trouble is there or not.
    func since(_ trouble: Trouble) -> ContinuousClock.Instant? { troubles[trouble]?.since }

    /// Indicates whether one is to be told of within the next seconds.
    func isDue(besides told: Set<Trouble>, at now: ContinuousClock.Instant) -> Bool {
        troubles.contains {
            $0.value.isSo && !told.contains($0.key) && now - $0.value.since < Self.delay + .seconds(1)
        }
    }
}
