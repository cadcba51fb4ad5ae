/// The address of a network adapter on its link, six bytes on Ethernet and Wi-Fi.
package struct HardwareAddress: Hashable, Sendable, CustomStringConvertible {
    /// Its bytes, 6 to 20.
    package let bytes: [UInt8]

    /// `nil` for bytes that are the address of no single adapter: too few or too many, all zero, or a group's.
    package init?(_ bytes: some Collection<UInt8>) {
        guard (6...20).contains(bytes.count), bytes.contains(where: { $0 != 0 }) else { return nil }
        // On Ethernet, the lowest bit of the first byte marks a group.
        if bytes.count == 6, let first = bytes.first, first & 1 == 1 { return nil }
        self.bytes = Array(bytes)
    }

    /// `02:42:ac:11:00:02`
    package var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
    }
}
