/// A machine of a tailnet, by the public key that whoever has its addresses there has proved to have.
package struct TailnetNode: Hashable, Sendable, CustomStringConvertible {
    private static let prefix = "nodekey:"

    /// The key as Tailscale writes it: `nodekey:` and 64 hexadecimal digits.
    package let key: String

    /// Creates a machine; `nil` if the text is no key of one.
    package init?(_ key: String) {
        let digits = key.utf8.dropFirst(Self.prefix.utf8.count)
        let isHexadecimal = digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard key.hasPrefix(Self.prefix), digits.count == 64, isHexadecimal else { return nil }
        self.key = key
    }

    package var description: String { key }
}
