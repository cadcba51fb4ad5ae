/// A fact that holds or is over, with the time since which it has. A value.
struct LastingFact: Hashable, Sendable {
    var holds: Bool
    var since: ContinuousClock.Instant

    /// Takes in whether it holds now.
    mutating func note(_ holds: Bool, at now: ContinuousClock.Instant) {
        if self.holds != holds { self = LastingFact(holds: holds, since: now) }
    }
}
