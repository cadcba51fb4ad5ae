/// A link on which multicast DNS runs: an interface, and this host's addresses on it.
package struct Link: Hashable, Sendable {
    /// An address of this host with the length of its network prefix, in bits.
    package struct Prefix: Hashable, Sendable {
        package let address: IPAddress
        package let length: Int

        package init(address: IPAddress, length: Int) {
            self.address = address
            self.length = length
        }

        /// Indicates whether another address is in the same network.
        func contains(_ other: IPAddress) -> Bool {
            switch (address, other) {
            case (.v4(let own), .v4(let other)):
                (1...32).contains(length) && (own.bits ^ other.bits) >> UInt32(32 - length) == 0
            case (.v6(let own), .v6(let other)):
                (1...128).contains(length) && (own.bits ^ other.bits) >> UInt128(128 - length) == 0
            case (.v4, .v6), (.v6, .v4): false
            }
        }
    }

    /// The interface.
    package let interface: NetworkInterface

    /// This host's addresses on it.
    package var prefixes: [Prefix]

    package init(interface: NetworkInterface, prefixes: [Prefix]) {
        self.interface = interface
        self.prefixes = prefixes
    }

    /// The address families in which this host has an address on the link.
    package var families: Set<AddressFamily> { Set(prefixes.map(\.address.family)) }

    /// Indicates whether a packet from this address was sent on the link itself and did not come through a router (RFC
    /// 6762 §11).
    package func isOnLink(_ source: IPAddress) -> Bool {
        if source.isLinkLocal { return true }
        return !source.isMulticast && prefixes.contains { $0.contains(source) }
    }

    /// Indicates whether an address belongs to this host.
    package func isOwn(_ address: IPAddress) -> Bool {
        prefixes.contains { $0.address == address }
    }
}
