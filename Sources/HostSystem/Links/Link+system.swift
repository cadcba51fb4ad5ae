package import DNSSD

extension Link {
    /// Returns the links on which multicast DNS runs: interfaces that are up and running, are capable of multicast,
    /// have an address, and are neither loopback nor point-to-point. Sorted by interface.
    package static func all() -> [Link] {
        HostInterface.all.compactMap { found in
            guard found.isOnNetwork, !found.flags.contains(.pointToPoint), !found.addresses.isEmpty else { return nil }
            let prefixes = found.addresses.map { Prefix(address: $0.address, length: $0.prefixLength) }
            return Link(interface: found.interface, prefixes: prefixes)
        }
    }
}
