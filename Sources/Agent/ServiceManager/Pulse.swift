/// The last signs of progress of the parts that must never hang. A value.
struct Pulse: Hashable, Sendable {
    private var beats: [String: ContinuousClock.Instant]

    /// Makes the pulse of some parts, all of which have just made progress.
    init(of names: [String], now: ContinuousClock.Instant) {
        beats = Dictionary(names.map { ($0, now) }) { first, _ in first }
    }

    /// Takes in that a part has made progress.
    mutating func beat(of name: String, now: ContinuousClock.Instant) { beats[name] = now }

    /// Returns the parts that have made no progress for a time, sorted by their names.
    func stuck(for time: Duration, now: ContinuousClock.Instant) -> [String] {
        beats.filter { now - $0.value > time }.keys.sorted()
    }
}
