/// The time between two attempts: by default 0.8 s, each time 1.7 times as long, at most 15 s, and each up to a fifth
/// shorter or longer, so that the clients that one outage has cut off do not all come back at the same moment. A value:
/// randomness is passed in.
struct BackOff: Hashable, Sendable {
    /// The pace at which the times grow.
    struct Pace: Hashable, Sendable {
        var first: Duration
        var factor: Double
        var longest: Duration

        /// The share by which each time is shorter or longer.
        var spread = 0.0

        /// The longest time that is added to each.
        var addition = Duration.zero

        static let usual = Pace(first: .milliseconds(800), factor: 1.7, longest: .seconds(15), spread: 0.2)

        /// The pace that Clawline asks for.
        static let clawline = Pace(first: .seconds(1), factor: 2, longest: .seconds(30), addition: .seconds(1))

        /// Returns the mean time after a number of failures, without the addition.
        func mean(after failures: Int) -> Duration {
            var mean = first
            for _ in 0..<failures where mean < longest { mean = mean * factor }
            return min(mean, longest)
        }
    }

    static let first = Pace.usual.first
    static let longest = Pace.usual.longest
    static let spread = Pace.usual.spread

    let pace: Pace

    /// The number of attempts that have failed since the last success.
    private(set) var failures = 0

    init(_ pace: Pace = .usual) {
        self.pace = pace
    }

    /// Returns the time until the next attempt.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let mean = pace.mean(after: failures)
        failures = min(failures + 1, 16)
        let time = mean * Double.random(in: (1 - pace.spread)...(1 + pace.spread), using: &generator)
        guard pace.addition > .zero else { return time }
        return time + pace.addition * Double.random(in: 0...1, using: &generator)
    }

    /// Returns the mean time after a number of failures, at the usual pace.
    static func mean(after failures: Int) -> Duration { Pace.usual.mean(after: failures) }

    /// Begins again with the shortest time.
    mutating func reset() { failures = 0 }
}
