/// The delays after which many sessions look for their gateways because of one event, such as the return of the
/// network: at most ten begin at the same moment. A value: randomness is passed in.
struct WakeUpSpreading {
    /// The maximum number of sessions that begin at once.
    static let mostAtOnce = 10

    /// The time over which a larger number of sessions is spread.
    static let span = Duration.seconds(3)

    /// Returns the delays for a number of sessions: one in each slice of the time, at a random moment of it, in random
    /// order.
    static func delays(for count: Int, using generator: inout some RandomNumberGenerator) -> [Duration] {
        guard count > mostAtOnce else { return Array(repeating: .zero, count: count) }
        let slice = span / count
        let delays = (0..<count).map { slice * (Double($0) + Double.random(in: 0..<1, using: &generator)) }
        return delays.shuffled(using: &generator)
    }

    /// The times of the latest sessions that were woken one by one.
    private var recent: [ContinuousClock.Instant] = []

    /// Returns the delay for one session that is woken by itself: zero, unless many have been woken within ``span``.
    mutating func delay(now: ContinuousClock.Instant, using generator: inout some RandomNumberGenerator) -> Duration {
        recent = recent.filter { now - $0 < Self.span }.suffix(Self.mostAtOnce)
        recent.append(now)
        guard recent.count > Self.mostAtOnce else { return .zero }
        return Self.span * Double.random(in: 0..<1, using: &generator)
    }
}
