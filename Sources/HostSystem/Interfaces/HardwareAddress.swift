internal import DNSSD

/// The address of a network adapter on its link, six bytes on Ethernet and Wi-Fi.
package struct HardwareAddress: Hashable, Sendable, CustomStringConvertible {
    /// The bytes of the address, 6 to 20.
    package let bytes: [UInt8]

    /// Creates an address from its bytes; `nil` if they are not the address of a single adapter: too few or too many,
    /// all zero, or the address of a group.
    package init?(_ bytes: some Collection<UInt8>) {
        guard (6...20).contains(bytes.count), bytes.contains(where: { $0 != 0 }) else { return nil }
        // On Ethernet, the lowest bit of the first byte marks a group.
        if bytes.count == 6, let first = bytes.first, first & 1 == 1 { return nil }
        self.bytes = Array(bytes)
    }

    /// The bytes in hexadecimal, such as `02:42:ac:11:00:02`.
    package var description: String { bytes.hexadecimal(separatedBy: ":") }
}
