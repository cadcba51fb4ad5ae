#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The most descriptors that this process may have. For programs: a library leaves the process that it runs in as it is.
package enum DescriptorLimit {
    /// The number that suffices for whatever a store can hold: a session has a socket and a lock.
    private static let enough: rlim_t = 65_536

    /// Raises it as far as the system allows: the usual one of 1,024 is kept low for programs that call select(2), which we never do.
    package static func raise() {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < enough else { return }
        limit.rlim_cur = min(limit.rlim_max, enough)
        // Where it cannot be raised, what needs more says so.
        _ = setrlimit(resource, &limit)
    }
}
