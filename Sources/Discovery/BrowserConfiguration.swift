public import DNSSD

/// What a ``Browser`` looks for, and how much it keeps.
public struct BrowserConfiguration: Sendable {
    /// The service types and interfaces.
    public var request: BrowseRequest

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - types: The service types to browse for, several at once.
    ///   - interfaces: The names of the interfaces to look at; empty means all.
    public init(types: [ServiceType], interfaces: Set<String> = []) {
        self.request = BrowseRequest(types: types, interfaces: interfaces)
    }
}
