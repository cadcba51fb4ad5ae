internal import EventLoops

/// A moment, by both clocks of a host, in milliseconds.
package struct GatewayTime: Hashable, Sendable {
    /// The time since 1970, which is sent to peers and with which they date their signatures. It can be set back.
    package var date: Int

    /// The time since an arbitrary start, which only grows: lifetimes are measured with it.
    package var uptime: Int

    package init(date: Int, uptime: Int) {
        self.date = date
        self.uptime = uptime
    }

    /// The present moment.
    package static var now: GatewayTime {
        GatewayTime(date: WallClock.milliseconds, uptime: Int(start.duration(to: .now) / .milliseconds(1)))
    }

    /// The start from which ``uptime`` counts in this process.
    private static let start = SuspendingClock.now
}
