package import DNSSD

extension Link {
    /// Returns the links that multicast DNS is spoken on: interfaces that are up and running, with multicast and an
    /// address, neither loopback nor point-to-point. Sorted by interface.
    package static func all() -> [Link] {
        HostInterface.all.compactMap { found in
            guard found.isOnNetwork, !found.flags.contains(.pointToPoint), !found.addresses.isEmpty else { return nil }
            let prefixes = found.addresses.map { Prefix(address: $0.address, length: $0.prefixLength) }
            return Link(interface: found.interface, prefixes: prefixes)
        }
    }
}
