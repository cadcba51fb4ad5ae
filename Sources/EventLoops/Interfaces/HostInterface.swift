package import DNSSD

/// A network interface of this host, as it was at one moment.
///
/// The only place that asks the system for interfaces and their addresses; whoever needs some of them says which.
package struct HostInterface: Hashable, Sendable {
    /// Its index and name.
    package let interface: NetworkInterface

    /// The flags that say what it can do, and what it does now.
    package let flags: InterfaceFlags

    /// Its addresses in the system's order. An interface may have none.
    package var addresses: [InterfaceAddress]

    package init(interface: NetworkInterface, flags: InterfaceFlags, addresses: [InterfaceAddress]) {
        self.interface = interface
        self.flags = flags
        self.addresses = addresses
    }

    /// Indicates whether another host may be reached over it by multicast: it is up, connected, capable of multicast,
    /// and not loopback.
    package var isOnNetwork: Bool {
        flags.isSuperset(of: [.up, .running, .multicast]) && !flags.contains(.loopback)
    }
}
