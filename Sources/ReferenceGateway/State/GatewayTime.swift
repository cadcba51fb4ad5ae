#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

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
        GatewayTime(date: milliseconds(CLOCK_REALTIME), uptime: milliseconds(CLOCK_MONOTONIC))
    }

    private static func milliseconds(_ clock: clockid_t) -> Int {
        var now = timespec()
        clock_gettime(clock, &now)
        return Int(now.tv_sec) * 1_000 + Int(now.tv_nsec) / 1_000_000
    }
}
