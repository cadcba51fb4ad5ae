public import DNSSD

/// The settings of a ``Browser``: what it looks for, and how much it keeps.
public struct BrowserConfiguration: Sendable {
    /// The maximum number of services that are kept if nobody says otherwise.
    public static let mostServices = 16_384

    /// The service types, at first (see ``Browser/browse(for:in:)``), and the interfaces.
    public var request: BrowseRequest

    /// The maximum number of services that are kept. Past it the host with most of those that are not protected
    /// (see ``Browser/protect(_:_:)``) loses what came last; what is left out is told once, as a warning.
    public var maximumServices: Int

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - types: The service types to browse for, several at once.
    ///   - interfaces: The names of the interfaces to look at; empty means all.
    ///   - maximumServices: See ``maximumServices``; at least 1. The backend has a limit of its own, see
    ///     ``Backends/make(_:maximumServices:logger:)``.
    public init(types: [ServiceType], interfaces: Set<String> = [], maximumServices: Int = mostServices) {
        self.request = BrowseRequest(types: types, interfaces: interfaces)
        self.maximumServices = max(maximumServices, 1)
    }
}
