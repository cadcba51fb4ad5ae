package import DNSSD
package import Logging

#if Avahi
internal import Avahi
#endif

#if Bonjour
internal import Bonjour
#endif

/// The backends that browse and publish on this machine.
package enum Backends {
    /// The backends that this build has.
    package static var built: [BackendChoice] {
        BackendChoice.allCases.filter { choice in
            switch choice {
            case .auto: return false
            case .embedded: return true
            case .avahi:
                #if Avahi
                return true
                #else
                return false
                #endif
            case .bonjour:
                #if Bonjour
                return true
                #else
                return false
                #endif
            }
        }
    }

    /// Returns the backend for this machine: avahi-daemon while there is one, else our own engine. Alongside it,
    /// queries of our own bring the first results at once.
    ///
    /// Browsers and advertisers of a process whose backends have equal settings share threads and sockets, and know each
    /// other's services as their own.
    ///
    /// - Throws: ``BackendError`` with the code `noBackend` when this build has none.
    package static func system(logger: Logger? = nil) throws(BackendError) -> any ServiceBackend {
        try make(.auto, logger: logger)
    }

    /// Returns the backend of this choice, with queries of our own alongside it.
    ///
    /// - Parameters:
    ///   - choice: The choice of the backend.
    ///   - maximumServices: The maximum number of services that are followed, on all interfaces together; at least 1.
    ///   - wideArea: The zones that are browsed beside the link; by default none.
    ///   - logger: The logger for details, at level debug, and for problems that publishers should know of, at level
    ///     warning.
    /// - Throws: ``BackendError`` with the code `noBackend` when this build does not have it.
    package static func make(
        _ choice: BackendChoice,
        maximumServices: Int = BrowserConfiguration.mostServices,
        wideArea: WideAreaConfiguration = WideAreaConfiguration(),
        logger: Logger? = nil
    ) throws(BackendError) -> any ServiceBackend {
        let maximum = max(maximumServices, 1)
        var companions: [any BrowseSource] = [OneShotSource(maximumServices: maximum)]
        if !wideArea.isEmpty { companions.append(WideAreaSource(wideArea, maximumServices: maximum)) }
        return NetworkAwareBackend(
            try make(choice, maximumServices: maximumServices, companions: companions, logger: logger),
            isBoundToIndices: choice != .embedded
        )
    }

    /// Returns the backend of this choice alone, without queries of our own.
    ///
    /// - Throws: ``BackendError`` with the code `noBackend` when this build does not have it.
    package static func unaccompanied(
        _ choice: BackendChoice,
        maximumServices: Int = BrowserConfiguration.mostServices,
        logger: Logger? = nil
    ) throws(BackendError) -> any ServiceBackend {
        try make(choice, maximumServices: maximumServices, companions: [], logger: logger)
    }

    private static func make(
        _ choice: BackendChoice,
        maximumServices: Int,
        companions: [any BrowseSource],
        logger: Logger?
    ) throws(BackendError) -> any ServiceBackend {
        let maximum = max(maximumServices, 1)
        let engine = MulticastDNSBackend(
            configuration: MulticastDNSConfiguration(maximumInstances: maximum),
            logger: logger
        )
        #if Avahi
        let avahi = AvahiBackend(configuration: AvahiConfiguration(maximumInstances: maximum), logger: logger)
        #endif
        switch choice {
        case .auto:
            #if Avahi
            let publisher = FallbackPublisher(avahi, orElse: engine)
            return MergingBackend(
                [
                    BackendSource(avahi, rank: SourceRank.daemon),
                    BackendSource(engine, .standby, rank: SourceRank.engine),
                ] + companions
            ) { await publisher.publish($0, updates: $1, report: $2) }
            #else
            return alone(engine, rank: SourceRank.engine, companions)
            #endif
        case .avahi:
            #if Avahi
            return alone(avahi, rank: SourceRank.daemon, companions)
            #else
            throw BackendError(
                .noBackend,
                "this build of clawradar has no backend for avahi-daemon. Build it with the package trait Avahi."
            )
            #endif
        case .bonjour:
            #if Bonjour
            return alone(BonjourBackend(maximumServices: maximum), rank: SourceRank.daemon, companions)
            #else
            throw BackendError(
                .noBackend,
                "this build of clawradar has no backend for libdns_sd. Build it with the package trait Bonjour."
            )
            #endif
        case .embedded:
            return alone(engine, rank: SourceRank.engine, companions)
        }
    }

    /// Returns a backend without a standby.
    private static func alone(
        _ backend: any ServiceBackend,
        rank: Int,
        _ companions: [any BrowseSource]
    ) -> any ServiceBackend {
        guard !companions.isEmpty else { return backend }
        return MergingBackend([BackendSource(backend, rank: rank)] + companions) {
            await backend.publish($0, updates: $1, report: $2)
        }
    }
}

/// A choice of the backend that does the work of browsing and publishing.
@nonexhaustive
public enum BackendChoice: String, Hashable, Sendable, CaseIterable {
    /// avahi-daemon while there is one, and the library that leads to it; otherwise our own engine.
    case auto

    /// The system's avahi-daemon, and nothing without it.
    case avahi

    /// The daemon behind libdns_sd, whether Avahi's or Apple's, and nothing without it.
    case bonjour

    /// Our own engine, whatever else runs on this host.
    case embedded
}
