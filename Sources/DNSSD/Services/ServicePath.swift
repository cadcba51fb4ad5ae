/// The path on which a service instance was seen: one interface and one address family.
///
/// Each link and family has its own multicast DNS traffic. One instance can therefore be seen on two paths for every
/// interface, and it is gone only when its last path is gone.
package struct ServicePath: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The interface through which it was seen.
    package let interface: NetworkInterface

    /// The family of the packets that announced the service, which is not always the family of the addresses in them.
    package let family: AddressFamily

    /// Creates the path of an interface and an address family.
    package init(interface: NetworkInterface, family: AddressFamily) {
        self.interface = interface
        self.family = family
    }

    /// The path of whatever is seen by unicast DNS, over whichever interfaces that may go. No interface has the index 0.
    package static let zone = ServicePath(interface: NetworkInterface(index: 0, name: "dns"), family: .ipv4)

    /// The interface and the family, such as `eth0/ipv4`; `dns` for unicast DNS.
    package var description: String { self == .zone ? interface.name : "\(interface.name)/\(family.rawValue)" }

    /// Orders by interface, then by family.
    package static func < (lhs: ServicePath, rhs: ServicePath) -> Bool {
        (lhs.interface, lhs.family) < (rhs.interface, rhs.family)
    }
}
