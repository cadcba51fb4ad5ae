package import DNSSD

/// An address of this host, with the interface that has it.
package struct LocalAddress: Hashable, Sendable, Comparable {
    /// The interface.
    package let interface: NetworkInterface

    /// The address; a link-local IPv6 address has its scope.
    package let address: IPAddress

    /// Indicates whether others may reach this host there: the interface is up, connected and capable of multicast, and
    /// is not loopback.
    package let isOnNetwork: Bool

    /// Orders addresses by interface, then by which address to connect to first.
    package static func < (lhs: LocalAddress, rhs: LocalAddress) -> Bool {
        (lhs.interface, lhs.address) < (rhs.interface, rhs.address)
    }
}
