internal import GatewayProtocol
internal import Reports

/// The devices that wait at a watched gateway for an approval as they last, and what is to be told of them. A value.
///
/// Anybody who reaches the gateway can make requests there. The messages about them have a limit of their own, so that none
/// of them can keep one back that says that the gateway is gone.
struct WatchedApprovals: Hashable, Sendable {
    /// The time for which a device must wait before that is told: one that is approved at once is none of the user's cares.
    static let delay = Duration.seconds(2)

    /// The devices that wait, and since when; empty while that is not known.
    private var waiting: [(DeviceRequest, since: ContinuousClock.Instant)] = []
    private var limit: HourlyLimit

    /// - Parameter messages: The times of the messages of the last hour.
    init(_ messages: [Timestamp], at moment: Moment) {
        limit = HourlyLimit(messages, at: moment)
    }

    /// Takes in which devices wait; `nil` while that is not known.
    mutating func observe(_ requests: [DeviceRequest]?, at now: ContinuousClock.Instant) {
        waiting = (requests ?? []).map { request in
            (request, waiting.first { $0.0.id == request.id }?.since ?? now)
        }
    }

    /// Returns the devices that are to be told of.
    ///
    /// - Parameter told: The identifiers of those that were told.
    func news(besides told: Set<String>, at now: ContinuousClock.Instant) -> [DeviceRequest] {
        waiting.filter { now - $0.since >= Self.delay && !told.contains($0.0.id) }.map(\.0)
    }

    /// Indicates whether one is to be told of within the next seconds.
    func isDue(besides told: Set<String>, at now: ContinuousClock.Instant) -> Bool {
        waiting.contains { now - $0.since < Self.delay + .seconds(1) && !told.contains($0.0.id) }
    }

    mutating func mayTell(_ policy: NoticePolicy, at now: ContinuousClock.Instant) -> Bool {
        limit.allows(most: policy.mostPerGateway, at: now)
    }

    /// Returns the time at which one more message is allowed; `nil` if one is now.
    func end(_ policy: NoticePolicy, at now: ContinuousClock.Instant) -> Timestamp? {
        limit.end(most: policy.mostPerGateway, at: now)
    }

    /// Counts a message.
    ///
    /// - Returns: The times of those of the last hour.
    mutating func count(at moment: Moment) -> [Timestamp] {
        limit.count(at: moment)
        return limit.times
    }

    static func == (left: WatchedApprovals, right: WatchedApprovals) -> Bool {
        left.limit == right.limit && left.waiting.elementsEqual(right.waiting) { $0 == $1 }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(waiting.map(\.0))
    }
}
