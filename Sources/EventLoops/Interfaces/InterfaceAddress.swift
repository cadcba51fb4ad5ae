package import DNSSD

/// An address of this host, and how much of it names the network that it is in.
package struct InterfaceAddress: Hashable, Sendable {
    /// The address, link-local IPv6 with its scope.
    package let address: IPAddress

    /// The length of the network's prefix in bits, 0 to 32 or 0 to 128.
    package let prefixLength: Int

    package init(address: IPAddress, prefixLength: Int) {
        self.address = address
        self.prefixLength = prefixLength
    }
}
