package import DNSSD

/// A network interface of this host, as it was at one moment.
///
/// This is the only place that asks the system for interfaces and their addresses; callers select those that they need.
package struct HostInterface: Hashable, Sendable {
    /// The beginnings of the names that interfaces of container and machine networks have.
    private static let bridges = ["docker", "podman", "cni", "veth", "virbr", "lxc", "flannel"]

    /// The index and name of the interface.
    package let interface: NetworkInterface

    /// The capabilities and the current state of the interface.
    package let flags: InterfaceFlags

    /// The addresses of the interface in the system's order. There may be none.
    package var addresses: [InterfaceAddress]

    /// Indicates whether other hosts may be reachable over it by multicast: it is up, connected and capable of
    /// multicast, and is not a loopback interface.
    package var isOnNetwork: Bool {
        flags.isSuperset(of: [.up, .running, .multicast]) && !flags.contains(.loopback)
    }

    /// Indicates whether it leads to containers or machines of this host alone, by its name.
    package var isOfContainers: Bool {
        Self.bridges.contains { interface.name.hasPrefix($0) } || Self.isOfDocker(interface.name)
    }

    /// Indicates whether Docker has named a bridge, by the beginning of its network's identifier: others, such as the `br-lan`
    /// of a router, lead to a LAN.
    private static func isOfDocker(_ name: String) -> Bool {
        let digits = name.dropFirst(3).utf8
        return name.hasPrefix("br-") && digits.count == 12 && digits.allSatisfy("0123456789abcdef".utf8.contains)
    }
}

extension [HostInterface] {
    /// Returns whether the networks that an address is in are of containers or machines of this host alone; `nil` if it is in none
    /// of this host's networks.
    package func areOfContainers(around address: IPAddress) -> Bool? {
        let address = address.unmapped
        let around = filter { $0.addresses.contains { $0.contains(address) } }
        return around.isEmpty ? nil : around.allSatisfy(\.isOfContainers)
    }
}
