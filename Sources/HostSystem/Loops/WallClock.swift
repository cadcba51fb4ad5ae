internal import Glibc

/// The wall clock, which may be wrong and can jump: for times that are stored or shown, never for waiting.
package enum WallClock {
    /// The time in milliseconds since 1970.
    package static var milliseconds: Int {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int(now.tv_sec) * 1_000 + Int(now.tv_nsec) / 1_000_000
    }
}
