package import DNSSD

/// An address of this host, and the length of its network prefix.
package struct InterfaceAddress: Hashable, Sendable {
    /// The address, link-local IPv6 with its scope.
    package let address: IPAddress

    /// The length of the network's prefix in bits, 0 to 32 or 0 to 128.
    package let prefixLength: Int

    package init(address: IPAddress, prefixLength: Int) {
        self.address = address
        self.prefixLength = prefixLength
    }

    /// The network of the address: the address with its host bits set to zero, and without a scope.
    package var network: IPAddress {
        switch address {
        case .v4(let address):
            let hostBits = 32 - min(max(prefixLength, 0), 32)
            return .v4(IPv4Address(bits: (address.bits >> hostBits) << hostBits))
        case .v6(let address):
            let hostBits = 128 - min(max(prefixLength, 0), 128)
            return .v6(IPv6Address(bits: (address.bits >> hostBits) << hostBits))
        }
    }

    /// Indicates whether another address is in the same network.
    package func contains(_ other: IPAddress) -> Bool {
        InterfaceAddress(address: other, prefixLength: prefixLength).network == network
            && other.family == address.family
    }
}
