internal import GatewayProtocol
internal import HostSystem
internal import NIOCore

/// The signs of life of an OpenClaw session: `tick` events, and pings where the era has them.
struct Heartbeat {
    private let tasks: [RepeatedTask]

    /// - Parameter channel: The channel of the session, which takes ``SessionOutput``.
    init(of channel: any Channel, _ settings: OpenClawSettings) {
        let tick = Self.every(settings.tickInterval, on: channel) {
            let payload: JSONValue = .object(["ts": .number(JSONNumber(WallClock.milliseconds))])
            return .message(GatewayFrame.event(GatewayEvent(name: "tick", payload: payload)).encoded)
        }
        tasks = [tick] + (settings.era.pingInterval.map { [Self.every($0, on: channel) { .ping }] } ?? [])
    }

    /// The pings of a dialect without ticks.
    ///
    /// - Parameters:
    ///   - channel: The channel of the session.
    ///   - milliseconds: The time between two.
    init(pinging channel: any Channel, every milliseconds: Int) {
        tasks = [Self.every(milliseconds, on: channel) { .ping }]
    }

    private static func every(
        _ milliseconds: Int,
        on channel: any Channel,
        _ output: @escaping @Sendable () -> SessionOutput
    ) -> RepeatedTask {
        let interval = TimeAmount.milliseconds(Int64(milliseconds))
        return channel.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            channel.writeAndFlush(output(), promise: nil)
        }
    }

    /// Stops sending them.
    func cancel() {
        for task in tasks { task.cancel() }
    }
}
