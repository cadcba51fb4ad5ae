internal import GatewayProtocol
internal import Reports

/// A limit on the number of messages within any hour. A value.
struct HourlyLimit: Hashable, Sendable {
    static let hour = Duration.seconds(3_600)

    /// The maximum number of messages that are remembered.
    private static let most = 1_000

    private struct Message: Hashable {
        let instant: ContinuousClock.Instant
        let time: Timestamp
    }

    private var messages: [Message] = []

    init() {}

    /// Goes on with what an earlier run of the agent has counted.
    ///
    /// - Parameter times: The times of its messages. One that is in the future, since the clock was set back, counts as new.
    init(_ times: [Timestamp], at moment: Moment) {
        messages = times.suffix(Self.most).map { Message(instant: moment.instant(of: $0), time: $0) }
    }

    /// The times of the messages of the hour before the last one was counted.
    var times: [Timestamp] { messages.map(\.time) }

    /// Indicates whether one more is allowed.
    func allows(most: Int, at now: ContinuousClock.Instant) -> Bool { counted(at: now).count < most }

    /// Returns the time at which one more is allowed; `nil` if one is now.
    func end(most: Int, at now: ContinuousClock.Instant) -> Timestamp? {
        let counted = counted(at: now)
        guard counted.count >= most, let first = counted.suffix(max(1, most)).first else { return nil }
        return first.time.advanced(by: Self.hour)
    }

    /// Counts one, and forgets those that count no more.
    mutating func count(at moment: Moment) {
        messages = counted(at: moment.instant) + [Message(instant: moment.instant, time: moment.time)]
    }

    private func counted(at now: ContinuousClock.Instant) -> [Message] {
        messages.filter { now - $0.instant < Self.hour }
    }
}

extension Timestamp {
    /// Reads an array of times; what is none is left out.
    static func all(_ json: JSONValue?) -> [Timestamp] {
        (json?.array ?? []).compactMap { $0.string.flatMap(Timestamp.init) }
    }
}
