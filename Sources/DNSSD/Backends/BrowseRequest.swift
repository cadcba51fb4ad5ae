/// A request to browse for services.
public struct BrowseRequest: Hashable, Sendable {
    /// The service types, several at once. A type with subtypes means only the services under these subtypes.
    public var types: [ServiceType]

    /// The domain; by default `local`, the domain of RFC 6762.
    public var domain: String

    /// The names of the interfaces to browse on; empty means all, including those that appear later.
    public var interfaces: Set<String>

    public init(types: [ServiceType], domain: String = "local", interfaces: Set<String> = []) {
        self.types = types
        self.domain = domain
        self.interfaces = interfaces
    }
}
