/// A request to browse for services.
public struct BrowseRequest: Hashable, Sendable {
    /// The service types, several at once. A type with subtypes stands for these subtypes of it.
    public var types: [ServiceType]

    /// The domain; RFC 6762's `local` unless it says otherwise.
    public var domain: String

    /// The names of the interfaces to look at; empty means all, those included that appear later.
    public var interfaces: Set<String>

    public init(types: [ServiceType], domain: String = "local", interfaces: Set<String> = []) {
        self.types = types
        self.domain = domain
        self.interfaces = interfaces
    }
}
