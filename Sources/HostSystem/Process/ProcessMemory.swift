internal import CThreads
internal import Glibc

/// The visibility and the use of this process's memory. For programs only: a library must not change the process that it
/// runs in.
package enum ProcessMemory {
    /// Hides the memory from others for as long as the process lives: a crash leaves no core file (`RLIMIT_CORE` 0),
    /// and no other process of this user can read it or attach to it (`PR_SET_DUMPABLE` 0).
    package static func hide() {
        // Neither call needs a privilege, because both only give something up.
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = clawradar_set_dumpable(0)
    }

    /// Gives the memory of large blocks back to the system whenever they are freed.
    ///
    /// By default, glibc raises the size from which it does so to that of the largest block that was freed. Then the
    /// former memory of each array and dictionary that grew in a flood stays with the process. A block that is smaller
    /// than a mebibyte is kept: a scan of a thousand services would ask the system for such blocks all the time.
    package static func returnLargeBlocks() {
        clawradar_return_blocks_from(1 << 20)
    }

    /// Gives the memory that was freed back to the system, as far as whole pages of it are free.
    ///
    /// By itself, glibc does so only at the end of each of its heaps, where some small block is always in the way.
    package static func returnFreed() {
        clawradar_return_freed()
    }
}
