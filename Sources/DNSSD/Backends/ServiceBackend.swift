/// A component that can see and publish DNS-SD services on behalf of a browser or an advertiser.
///
/// A backend deals in sightings, never in gateways. It survives whatever happens to the daemon or the network
/// underneath: problems are reported as a ``BackendStatus``, and work resumes by itself when they end. Both
/// asynchronous methods run until the task is cancelled, and leave nothing behind when they return: no task, thread,
/// descriptor or record on the network. `report` is called in order, from one thread at a time, and must return
/// quickly.
package protocol ServiceBackend: Sendable {
    /// The name of the backend.
    var source: SightingSource { get }

    /// The capabilities of the backend beyond finding, resolving and publishing.
    var capabilities: BackendCapabilities { get }

    /// Browses until the task is cancelled.
    func browse(
        _ request: BrowseRequest,
        report: @escaping @Sendable ([BrowseEvent]) -> Void
    ) async

    /// Publishes until the task is cancelled or the publication has permanently failed, then withdraws.
    ///
    /// - Parameters:
    ///   - advertisement: The service to publish.
    ///   - updates: The TXT records that replace the advertised one, each as soon as it comes.
    ///   - report: Receives every change of the publication's state.
    func publish(
        _ advertisement: Advertisement,
        updates: TXTUpdates,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async

    /// Asks for a check whether the records of a service that did not answer are still valid (RFC 6762 §10.4). The
    /// service is reported as vanished if nobody confirms them.
    ///
    /// May be called from any thread, and returns at once. The caller must not call it over and over for a service that
    /// keeps failing. A backend without such a check does nothing.
    func reconfirm(_ instance: ServiceInstance)

    /// Sets whether a service is protected: it is known to be alive by other means, and is neither evicted nor left out
    /// for lack of room.
    ///
    /// May be called from any thread, also before the service is seen, and returns at once; the last call counts. A
    /// backend without a limit does nothing.
    func protect(_ instance: ServiceInstance, _ isProtected: Bool)
}

extension ServiceBackend {
    /// Does nothing: the default for a backend that cannot check records.
    public func reconfirm(_ instance: ServiceInstance) {}

    /// Does nothing: the default for a backend that has no limit.
    public func protect(_ instance: ServiceInstance, _ isProtected: Bool) {}
}

/// A request to browse for services.
package struct BrowseRequest: Hashable, Sendable {
    /// The service types, several at once. A type with subtypes means only the services under these subtypes.
    package var types: [ServiceType]

    /// The domain; by default `local`, the domain of RFC 6762.
    package var domain: DomainName

    /// The names of the interfaces to browse on; empty means all, including those that appear later.
    package var interfaces: Set<String>

    /// Creates a request; by default for `local`, on all interfaces. Nothing is checked before a backend browses.
    package init(types: [ServiceType], domain: DomainName = .local, interfaces: Set<String> = []) {
        self.types = types
        self.domain = domain
        self.interfaces = interfaces
    }
}

/// An event that a backend reports to a browser.
package enum BrowseEvent: Hashable, Sendable {
    /// An instance was seen on a path, or something about it there has changed. Replaces the previous sighting.
    case sighted(Sighting)

    /// An instance is no longer seen on a path.
    case vanished(ServiceInstance, ServicePath, LossReason)

    /// The backend's own status has changed.
    case status(BackendStatus)

    /// The backend expects more to report, or no longer does.
    case activity(BackendActivity)

    /// A problem that the user should know about; browsing goes on.
    case warning(BackendWarning)

    /// The status of a domain that is browsed by unicast DNS has changed; that of the backend has not.
    case domain(DomainName, BackendStatus)

    /// The packets and entries lost since the last report of losses.
    case losses(BackendLosses)
}
