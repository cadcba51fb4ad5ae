public import DNSSD
public import Logging
internal import MulticastDNS

#if Avahi
internal import Avahi
#endif

/// Chooses what does the work of browsing and publishing on this machine.
public enum Backends {
    /// The backend for this machine: avahi-daemon while it answers, else our own engine; and beside it questions of our own,
    /// which bring the first results at once.
    ///
    /// Browsers and advertisers that share one backend know each other's services as their own.
    ///
    /// - Throws: ``BackendError`` with the code `noBackend` when this build has none.
    public static func system(logger: Logger? = nil) throws(BackendError) -> any ServiceBackend {
        try make(.auto, logger: logger)
    }

    /// The backend of this choice, with questions of our own beside it.
    ///
    /// - Throws: ``BackendError`` with the code `noBackend` when this build does not have it.
    public static func make(_ choice: BackendChoice, logger: Logger? = nil) throws(BackendError) -> any ServiceBackend {
        AccompaniedBackend(try unaccompanied(choice, logger: logger))
    }

    /// The backend of this choice alone.
    ///
    /// - Throws: ``BackendError`` with the code `noBackend` when this build does not have it.
    package static func unaccompanied(
        _ choice: BackendChoice,
        logger: Logger? = nil
    ) throws(BackendError) -> any ServiceBackend {
        switch choice {
        case .auto:
            #if Avahi
            FallbackBackend(AvahiBackend(logger: logger), orElse: MulticastDNSBackend())
            #else
            MulticastDNSBackend()
            #endif
        case .avahi:
            #if Avahi
            AvahiBackend(logger: logger)
            #else
            throw BackendError(
                .noBackend,
                "this build of clawradar has no backend for avahi-daemon. Build it with the package trait Avahi."
            )
            #endif
        case .embedded:
            MulticastDNSBackend()
        }
    }
}
