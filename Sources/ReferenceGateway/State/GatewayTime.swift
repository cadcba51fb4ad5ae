internal import DNSSD
internal import HostSystem

/// A moment, by both clocks of a host, in milliseconds.
package struct GatewayTime: Hashable, Sendable {
    /// The time since 1970, which is sent to peers and with which they date their signatures. It can be set back.
    package var date: Int

    /// The time since an arbitrary start, which only grows: lifetimes are measured with it.
    package var uptime: Int

    /// The start of all uptimes of this process. None of them is stored.
    private static let start = ContinuousClock.now

    /// The present moment.
    package static var now: GatewayTime { now(by: ContinuousClock()) }

    /// Returns the present moment, with an uptime by this clock.
    static func now(by clock: any MonotonicClock) -> GatewayTime {
        let start = start
        return GatewayTime(date: WallClock.milliseconds, uptime: Int((clock.now - start) / .milliseconds(1)))
    }
}
