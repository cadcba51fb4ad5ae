public import DNSSD
public import Logging

#if Avahi
internal import Avahi
#endif

/// Chooses what does the work of browsing and publishing on this machine.
public enum Backends {
    /// The backend for this machine: avahi-daemon, and beside it questions of our own, which bring the first results at
    /// once.
    ///
    /// Browsers and advertisers that share one backend know each other's services as their own.
    ///
    /// - Throws: ``BackendError`` with the code `noBackend` when this build has none.
    public static func system(logger: Logger? = nil) throws(BackendError) -> any ServiceBackend {
        #if Avahi
        return AccompaniedBackend(AvahiBackend(logger: logger))
        #else
        throw BackendError(
            .noBackend,
            "this build of clawradar has no backend for avahi-daemon. Build it with the package trait Avahi."
        )
        #endif
    }
}
