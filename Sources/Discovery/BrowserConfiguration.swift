package import DNSSD

/// The settings of a ``Browser``: what it looks for, and how much it keeps.
package struct BrowserConfiguration: Sendable {
    /// The default of ``maximumServices``.
    package static let mostServices = 16_384

    /// The service types, the domain and the interfaces.
    package var request: BrowseRequest

    /// The maximum number of services that are kept. Beyond it, the host with the most services that are not protected
    /// (see ``Browser/protect(_:_:)``) loses its newest ones; that services are left out is reported once, as a
    /// warning.
    package var maximumServices: Int

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - types: The service types to browse for, several at once.
    ///   - domain: The domain to browse in.
    ///   - interfaces: The names of the interfaces to look at; empty means all.
    ///   - maximumServices: See ``maximumServices``; at least 1. The backend has a limit of its own, see
    ///     ``Backends/make(_:maximumServices:logger:)``.
    package init(
        types: [ServiceType],
        domain: DomainName = .local,
        interfaces: Set<String> = [],
        maximumServices: Int = mostServices
    ) {
        self.request = BrowseRequest(types: types, domain: domain, interfaces: interfaces)
        self.maximumServices = max(maximumServices, 1)
    }
}
