/// A network interface of this host through which a service was seen.
///
/// The system identifies an interface by its index, which is also the scope of a link-local address (RFC 4007 §11);
/// people know it by its name. An interface that is re-created under the same name gets a new index.
package struct NetworkInterface: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The system's index, 1 or more.
    package let index: UInt32

    /// The name at the time it was seen, such as `eth0`.
    package let name: String

    /// Creates an interface from its index and its name, without asking the system about either.
    package init(index: UInt32, name: String) {
        self.index = index
        self.name = name
    }

    package var description: String { name }

    /// Hashes the index alone, because paths are looked up for every record and two interfaces of one host never share
    /// an index.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(index)
    }

    /// Orders by name, then by index.
    package static func < (lhs: NetworkInterface, rhs: NetworkInterface) -> Bool {
        (lhs.name, lhs.index) < (rhs.name, rhs.index)
    }
}
