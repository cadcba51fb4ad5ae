internal import DNSSD
internal import MulticastDNS

/// A backend that can fall silent about a publication that goes on elsewhere on this host: without a goodbye, so that nobody
/// sees it go.
protocol SilencingBackend: ServiceBackend {
    /// Publishes as `publish(_:updates:report:)` does.
    ///
    /// - Parameter goesOnElsewhere: Asked at the end: whether to end without a goodbye.
    func publish(
        _ advertisement: Advertisement,
        updates: TXTUpdates,
        goesOnElsewhere: @escaping @Sendable () -> Bool,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async
}

extension MulticastDNSBackend: SilencingBackend {}
