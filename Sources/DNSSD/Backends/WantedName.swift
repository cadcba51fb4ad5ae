/// The time at which a publication that had to take another name takes back the one that was wanted: when nobody has had it
/// for a minute, and at most once in ten.
///
/// A name that a device had for a moment, or that a forger claimed, is not lost for good; one that two are after does not go
/// to and fro.
package struct WantedName: Hashable, Sendable {
    private static let quiet = Duration.seconds(60)
    private static let interval = Duration.seconds(600)

    /// The time since which the name has been looked for and found to be nobody's; `nil` while somebody has it, or
    /// nobody looked.
    private var free: ContinuousClock.Instant?

    /// The time at which it was last tried to take it back.
    private var tried: ContinuousClock.Instant?

    package init() {}

    /// The time at which it is taken back, if nobody is found until then.
    package var due: ContinuousClock.Instant? {
        guard let free else { return nil }
        let earliest = free + Self.quiet
        return tried.map { max($0 + Self.interval, earliest) } ?? earliest
    }

    /// A look-up has found nobody.
    package mutating func noteFree(now: ContinuousClock.Instant) {
        if free == nil { free = now }
    }

    /// Somebody has it.
    package mutating func noteOwner() {
        free = nil
    }

    /// It is being taken back.
    package mutating func noteTry(now: ContinuousClock.Instant) {
        tried = now
        free = nil
    }
}
