/// A network interface of this host, as a service was seen through it.
///
/// The index is what the system counts by and what scopes a link-local address (RFC 4007 §11); the name is what people
/// know. A re-created interface of the same name gets a new index.
public struct NetworkInterface: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The system's index, 1 or more.
    public let index: UInt32

    /// The name at the time it was seen, such as `eth0`.
    public let name: String

    public init(index: UInt32, name: String) {
        self.index = index
        self.name = name
    }

    public var description: String { name }

    /// By the index alone, which differs wherever the name does on one host: paths are looked up for every record.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(index)
    }

    public static func < (lhs: NetworkInterface, rhs: NetworkInterface) -> Bool {
        (lhs.name, lhs.index) < (rhs.name, rhs.index)
    }
}
