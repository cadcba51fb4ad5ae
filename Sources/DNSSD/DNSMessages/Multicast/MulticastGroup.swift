/// The addresses and the port that multicast DNS uses (RFC 6762 §3).
package enum MulticastGroup {
    /// The port of multicast DNS.
    package static let port: UInt16 = 5_353

    /// Returns the group's address: 224.0.0.251, or ff02::fb on an interface.
    package static func address(of family: AddressFamily, on interface: NetworkInterface) -> IPAddress {
        switch family {
        case .ipv4: .v4(IPv4Address(bits: 0xE000_00FB))
        case .ipv6: .v6(IPv6Address(bits: 0xFF02_0000_0000_0000_0000_0000_0000_00FB, scope: interface))
        }
    }

    /// Returns the group's address and port on a path.
    package static func endpoint(on path: ServicePath) -> Endpoint {
        Endpoint(address: address(of: path.family, on: path.interface), port: port)
    }

    /// Returns the number of bytes of DNS that fit into one Ethernet packet, without the IP and UDP headers (RFC 6762
    /// §17).
    package static func payload(_ family: AddressFamily) -> Int {
        switch family {
        case .ipv4: 1_472
        case .ipv6: 1_452
        }
    }
}
