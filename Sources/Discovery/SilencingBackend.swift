internal import DNSSD

/// A backend that can end its part of a publication that goes on elsewhere on this host, without a goodbye packet, so
/// that nobody sees it go.
protocol SilencingBackend: ServiceBackend {
    /// Publishes as `publish(_:updates:report:)` does.
    ///
    /// - Parameter goesOnElsewhere: A closure that is called at the end, and decides whether to end without a goodbye
    ///   packet.
    func publish(
        _ advertisement: Advertisement,
        updates: TXTUpdates,
        goesOnElsewhere: @escaping @Sendable () -> Bool,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async
}

extension MulticastDNSBackend: SilencingBackend {}
