/// The moments at which many sessions look for their gateways after one event, such as that the network is back: more than ten do
/// not begin in one moment. A value: the randomness is told to it.
struct WakeUpSpreading {
    /// The most that begin at once.
    static let mostAtOnce = 10

    /// The time over which more than these are spread.
    static let span = Duration.seconds(3)

    /// Returns how long each of so many waits: one in each slice of the time, at a random moment of it, in random order.
    static func delays(for count: Int, using generator: inout some RandomNumberGenerator) -> [Duration] {
        guard count > mostAtOnce else { return Array(repeating: .zero, count: count) }
        let slice = span / count
        let delays = (0..<count).map { slice * (Double($0) + Double.random(in: 0..<1, using: &generator)) }
        return delays.shuffled(using: &generator)
    }

    /// The times of the last that came one by one.
    private var recent: [ContinuousClock.Instant] = []

    /// Returns how long one waits that comes by itself: not at all, unless many have come within ``span``.
    mutating func delay(now: ContinuousClock.Instant, using generator: inout some RandomNumberGenerator) -> Duration {
        recent = recent.filter { now - $0 < Self.span }.suffix(Self.mostAtOnce)
        recent.append(now)
        guard recent.count > Self.mostAtOnce else { return .zero }
        return Self.span * Double.random(in: 0..<1, using: &generator)
    }
}
