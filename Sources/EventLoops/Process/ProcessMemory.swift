#if canImport(Glibc)
internal import CThreads
internal import Glibc
#elseif canImport(Musl)
internal import CThreads
internal import Musl
#else
internal import Darwin
#endif

/// The memory of this process, as others may see it. For programs: a library leaves the process that it runs in as it is.
package enum ProcessMemory {
    /// Keeps it from others for as long as the process lives: a crash leaves no core file (`RLIMIT_CORE` 0), and no other
    /// process of this user can read it or attach to it (`PR_SET_DUMPABLE` 0, Linux alone).
    package static func hide() {
        // Neither can fail for want of a right: both take something away.
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
        _ = setrlimit(RLIMIT_CORE, &none)
        #endif
        #if os(Linux)
        _ = clawradar_set_dumpable(0)
        #endif
    }
}
