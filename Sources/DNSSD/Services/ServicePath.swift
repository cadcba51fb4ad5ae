/// The path on which a service instance was seen: one interface and one address family.
///
/// Each link and family has its own multicast DNS traffic. One instance can therefore be seen on two paths for every
/// interface, and it is gone only when its last path is gone.
public struct ServicePath: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The interface through which it was seen.
    public let interface: NetworkInterface

    /// The family of the packets that announced the service, which is not always the family of the addresses in them.
    public let family: AddressFamily

    /// Creates the path of an interface and an address family.
    public init(interface: NetworkInterface, family: AddressFamily) {
        self.interface = interface
        self.family = family
    }

    /// The interface and the family, such as `eth0/ipv4`.
    public var description: String { "\(interface.name)/\(family.rawValue)" }

    /// Orders by interface, then by family.
    public static func < (lhs: ServicePath, rhs: ServicePath) -> Bool {
        (lhs.interface, lhs.family) < (rhs.interface, rhs.family)
    }
}
