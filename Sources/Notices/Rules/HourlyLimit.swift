/// A limit on the number of messages within any hour. A value.
struct HourlyLimit: Hashable, Sendable {
    static let hour = Duration.seconds(3_600)

    private var times: [ContinuousClock.Instant] = []

    /// Indicates whether one more is allowed.
    mutating func allows(most: Int, at now: ContinuousClock.Instant) -> Bool {
        times.removeAll { now - $0 >= Self.hour }
        return times.count < most
    }

    /// Counts one.
    mutating func count(at now: ContinuousClock.Instant) { times.append(now) }
}
