package import DNSSD

/// A network interface of this host, as it was at one moment.
///
/// This is the only place that asks the system for interfaces and their addresses; callers select those that they need.
package struct HostInterface: Hashable, Sendable {
    /// The index and name of the interface.
    package let interface: NetworkInterface

    /// The capabilities and the current state of the interface.
    package let flags: InterfaceFlags

    /// The addresses of the interface in the system's order. There may be none.
    package var addresses: [InterfaceAddress]

    package init(interface: NetworkInterface, flags: InterfaceFlags, addresses: [InterfaceAddress]) {
        self.interface = interface
        self.flags = flags
        self.addresses = addresses
    }

    /// Indicates whether other hosts may be reachable over it by multicast: it is up, connected and capable of
    /// multicast, and is not a loopback interface.
    package var isOnNetwork: Bool {
        flags.isSuperset(of: [.up, .running, .multicast]) && !flags.contains(.loopback)
    }
}

extension HostInterface {
    /// The names of the interfaces over which multicast DNS can reach another host.
    package static var connected: Set<String> {
        Set(all.filter { $0.isOnNetwork && !$0.addresses.isEmpty }.map(\.interface.name))
    }

    /// The names of the loopback interfaces, which reach only this host.
    package static var loopback: Set<String> { Set(all.filter { $0.flags.contains(.loopback) }.map(\.interface.name)) }
}
