/// The connection that is held to one endpoint, and whether it sends more than was asked for.
struct EndpointHolding {
    /// The shortest and longest time for which no connection is held after one over which too much came.
    private static let firstWait = Duration.seconds(60)
    private static let longestWait = Duration.seconds(3_600)

    /// The shortest age of a connection at which its peer may have closed it because of its age, and the difference of two
    /// such ages.
    private static let shortestAge = Duration.seconds(4)
    private static let ageDifference = Duration.milliseconds(500)

    /// The time by which a connection is given up before its peer would close it.
    private static let margin = Duration.seconds(1)

    /// Indicates whether a connection is held.
    private(set) var isHeld = false

    /// The time at which it was begun.
    private var since: ContinuousClock.Instant?

    /// The age at which the peer has closed connections, and how often in a row.
    private var closed: (age: Duration, times: Int)?

    /// The time from which one may be held again, and the wait until then.
    private var again: (time: ContinuousClock.Instant, wait: Duration)?

    /// The time until which the endpoint counts as flooding; `nil` while it does not.
    private(set) var floodedUntil: ContinuousClock.Instant?

    /// The time for which a connection is held where the peer closes each at the same age, such as one over which nobody
    /// introduces himself: it is replaced before that, since its end would count as that of the process; `nil` elsewhere.
    var lifetime: Duration? { closed.flatMap { $0.times > 1 ? $0.age - Self.margin : nil } }

    /// Records that a connection is held from now on, unless one is.
    mutating func begin(at now: ContinuousClock.Instant) {
        guard !isHeld else { return }
        isHeld = true
        since = now
    }

    /// Records that none is held any more.
    ///
    /// - Parameter isByPeer: Indicates whether the peer has closed it, and not for a question.
    mutating func end(isByPeer: Bool = false, at now: ContinuousClock.Instant? = nil) {
        isHeld = false
        guard isByPeer, let age = now.flatMap({ now in since.map { now - $0 } }) else { return }
        guard age >= Self.shortestAge else {
            closed = nil
            return
        }
        let isSame = closed.map { abs($0.age, age) <= Self.ageDifference } ?? false
        closed = (min(age, isSame ? closed?.age ?? age : age), isSame ? (closed?.times ?? 0) + 1 : 1)
    }

    private func abs(_ one: Duration, _ other: Duration) -> Duration { max(one, other) - min(one, other) }

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
