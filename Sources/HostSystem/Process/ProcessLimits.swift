internal import CThreads
internal import Glibc
internal import SystemPackage

/// The limits of this process's resources (`getrlimit(2)`). For programs only: a library must not change the process that
/// it runs in.
///
/// Parts of the system's libraries end the process when they get no descriptor or memory for their threads: Dispatch does
/// when it cannot look at the threads of its pool, and NIO when it makes an event loop. So a program whose limits are
/// too low for its verbs says so at its start.
package enum ProcessLimits {
    /// Enough descriptors for every session that a store can hold; each has a socket and a lock.
    private static let enoughDescriptors = 65_536

    /// The number of descriptors that must be free at the start: for the threads that wait, the sockets of a browse, and
    /// a margin for what comes and goes.
    private static let fewestDescriptors = 48

    /// The address space without which threads or memory may run out, in bytes. Each thread reserves some, and uses little: an
    /// agent with 60 readers has 1,230 MB of it where there is no limit.
    private static let leastAddressSpace = 1_536 << 20

    /// Raises the limits as far as the system allows, and returns what is too low nevertheless, as a sentence for
    /// people; `nil` if everything suffices. The usual limit of 1,024 descriptors is kept low for the sake of programs
    /// that call select(2), which we never do.
    ///
    /// Call it before anything else: nothing else of the process has threads yet.
    package static func raise() -> String? {
        let descriptors = raise(RLIMIT_NOFILE, to: enoughDescriptors)
        let free = free(below: descriptors)
        if free < fewestDescriptors {
            return "expected room for \(fewestDescriptors) more open files, found room for \(free). "
                + "Raise the limit of \(descriptors): ulimit -n 1024"
        }
        let addressSpace = raise(RLIMIT_AS, to: .max)
        if addressSpace < leastAddressSpace {
            return "expected a limit of at least \(leastAddressSpace >> 10) kB of virtual memory, found "
                + "\(addressSpace >> 10) kB. Raise it: ulimit -v unlimited"
        }
        return nil
    }

    /// Limits the memory that this process may still take, besides what it has: a request for more fails.
    package static func limitMemory(to bytes: Int) {
        let fields = (try? String(decoding: statm(), as: UTF8.self))?.split(separator: " ") ?? []
        // The sixth field is the size of data and stack, in pages (proc(5)).
        guard fields.count > 5, let pages = UInt(fields[5]) else { return }
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_DATA.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, pages * UInt(sysconf(Int32(_SC_PAGESIZE))) + UInt(bytes))
        limit.rlim_max = limit.rlim_cur
        _ = setrlimit(resource, &limit)
    }

    private static func statm() throws -> [UInt8] {
        let file = try FileDescriptor.open("/proc/self/statm", .readOnly, options: .closeOnExec)
        return try file.closeAfter {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
            return Array(bytes.prefix(count))
        }
    }

    /// Raises a limit, if it is lower.
    ///
    /// - Returns: The limit.
    private static func raise(_ resource: __rlimit_resource, to wanted: Int) -> Int {
        let resource = __rlimit_resource_t(resource.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return wanted }
        if limit.rlim_cur < limit.rlim_max, limit.rlim_cur < UInt(wanted) {
            var raised = limit
            raised.rlim_cur = min(limit.rlim_max, UInt(wanted))
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Returns the number of free descriptors below a limit, as far as it matters.
    private static func free(below limit: Int) -> Int {
        // Without a gap, the search is as short as the number that is looked for.
        var free = 0
        for descriptor in stride(from: Int32(clamping: limit) - 1, through: 0, by: -1) where free < fewestDescriptors {
            if fcntl(descriptor, F_GETFD) < 0 { free += 1 }
        }
        return free
    }
}
