/// The time between two attempts: 0.8 s, each time 1.7 times as long, at most 15 s, and each up to a fifth shorter or
/// longer, so that the clients that one outage has cut off do not all come back at the same moment. A value: randomness
/// is passed in.
struct BackOff: Hashable, Sendable {
    static let first = Duration.milliseconds(800)
    static let factor = 1.7
    static let longest = Duration.seconds(15)
    static let spread = 0.2

    /// The number of attempts that have failed since the last success.
    private(set) var failures = 0

    /// Returns the time until the next attempt.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let mean = Self.mean(after: failures)
        failures = min(failures + 1, 16)
        return mean * Double.random(in: (1 - Self.spread)...(1 + Self.spread), using: &generator)
    }

    /// Returns the mean time after a number of failures.
    static func mean(after failures: Int) -> Duration {
        var mean = first
        for _ in 0..<failures where mean < longest { mean = mean * factor }
        return min(mean, longest)
    }

    /// Begins again with the shortest time.
    mutating func reset() { failures = 0 }
}
