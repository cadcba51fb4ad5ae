/// A component that can see and publish DNS-SD services on behalf of a browser or an advertiser.
///
/// A backend knows sightings, never gateways. It survives whatever happens to the daemon or the network underneath:
/// trouble is reported as a ``BackendStatus``, and work goes on by itself when the trouble ends.
/// Both calls run until the task is cancelled, and leave nothing behind when they return: no task, thread, descriptor or
/// record on the network. `report` is called in order, from one thread at a time, and must return quickly.
public protocol ServiceBackend: Sendable {
    /// The name of the backend.
    var source: SightingSource { get }

    /// The capabilities of the backend beyond finding, resolving and publishing.
    var capabilities: BackendCapabilities { get }

    /// Browses until the task is cancelled.
    func browse(
        _ request: BrowseRequest,
        report: @escaping @Sendable ([BrowseEvent]) -> Void
    ) async

    /// Publishes until the task is cancelled or the publication has failed for good, then withdraws.
    ///
    /// - Parameters:
    ///   - advertisement: What to publish.
    ///   - updates: TXT records that replace the advertised one, each as soon as it comes.
    ///   - report: Receives every change of the publication's state.
    func publish(
        _ advertisement: Advertisement,
        updates: TXTUpdates,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async

    /// Asks to verify that the records of a service that did not answer still hold (RFC 6762 §10.4). The service is
    /// told as vanished if nobody confirms them.
    ///
    /// May be called from anywhere, and returns at once. Whoever calls sees to it that it is not called again and again
    /// for what goes on failing. A backend that has no such thing does nothing.
    func reconfirm(_ instance: ServiceInstance)

    /// A service is known to be alive by other means, or no longer: while it is, it is neither given up nor left out for lack of
    /// room.
    ///
    /// May be called from anywhere, also before the service is seen, and returns at once; the last word counts. A backend
    /// that has no limit does nothing.
    func protect(_ instance: ServiceInstance, _ isProtected: Bool)
}

extension ServiceBackend {
    public func reconfirm(_ instance: ServiceInstance) {}

    public func protect(_ instance: ServiceInstance, _ isProtected: Bool) {}
}
