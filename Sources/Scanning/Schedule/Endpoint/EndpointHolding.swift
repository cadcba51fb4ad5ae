internal import Constellation

/// The connection that is held to one endpoint, and whether it sends more than was asked for.
struct EndpointHolding {
    /// The shortest and longest time for which no connection is held after one over which too much came.
    private static let firstWait = Duration.seconds(60)
    private static let longestWait = Duration.seconds(3_600)

    /// Indicates whether a connection is held.
    var isHeld = false

    /// The time from which one may be held again, and the wait until then.
    @Rare private var again: (time: ContinuousClock.Instant, wait: Duration)?

    /// The time until which the endpoint counts as flooding; `nil` while it does not.
    @Rare private(set) var floodedUntil: ContinuousClock.Instant?

    /// Indicates whether it counts as flooding.
    var isFlooding: Bool { floodedUntil != nil }

    /// Indicates whether a connection may be held now.
    func mayHold(at now: ContinuousClock.Instant) -> Bool { again.map { $0.time <= now } ?? true }

    /// Records that more came than was asked for. Each held connection that floods doubles the wait for the next one; short
    /// connections that flood in the meantime do not.
    mutating func flooded(until end: ContinuousClock.Instant, now: ContinuousClock.Instant) {
        floodedUntil = end
        guard let former = again else {
            again = (now + Self.firstWait, Self.firstWait)
            return
        }
        guard former.time <= now else { return }
        let wait = min(former.wait * 2, Self.longestWait)
        again = (now + wait, wait)
    }

    /// Records that the flood is over.
    mutating func endFlood() { floodedUntil = nil }
}
