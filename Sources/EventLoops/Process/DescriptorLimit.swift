internal import Glibc

/// The maximum number of descriptors of this process. For programs only: a library must not change the process that it
/// runs in.
package enum DescriptorLimit {
    /// Enough for every session that a store can hold; each has a socket and a lock.
    private static let enough: rlim_t = 65_536

    /// Raises the limit as far as the system allows. The usual limit of 1,024 is kept low for the sake of programs that
    /// call select(2), which we never do.
    package static func raise() {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < enough else { return }
        limit.rlim_cur = min(limit.rlim_max, enough)
        // If the limit cannot be raised, an operation that runs out of descriptors reports it.
        _ = setrlimit(resource, &limit)
    }
}
