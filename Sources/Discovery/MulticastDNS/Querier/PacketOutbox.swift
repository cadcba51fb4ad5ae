internal import DequeModule

/// Packets that wait to be sent, a few at a time, since the sockets of responders, and our own, have limited room.
struct PacketOutbox {
    /// The number of packets that go out together, and the time until the next ones follow.
    private static let burst = 8
    private static let pause = Duration.milliseconds(10)

    /// The highest number of packets that may wait. No real network needs more; those that a forger causes are dropped.
    private static let limit = 1_024

    private var packets: Deque<[UInt8]> = []

    /// The time at which the next packets may go.
    private var next: ContinuousClock.Instant

    init(now: ContinuousClock.Instant) {
        self.next = now
    }

    /// The number of waiting packets.
    var count: Int { packets.count }

    /// The time at which ``take(until:)`` has packets to return; `nil` when none wait.
    var deadline: ContinuousClock.Instant? { count > 0 ? next : nil }

    mutating func append(_ more: [[UInt8]]) {
        packets += more.prefix(max(0, Self.limit - count))
    }

    mutating func take(until now: ContinuousClock.Instant) -> [[UInt8]] {
        guard count > 0, next <= now else { return [] }
        let taken = Array(packets.prefix(Self.burst))
        packets.removeFirst(taken.count)
        next = now + Self.pause
        return taken
    }
}
