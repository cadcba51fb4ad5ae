internal import DNSSD

/// UUIDs as text, RFC 9562 §4, in lower case.
package enum UUIDText {
    /// Returns a random UUID, of version 4 (RFC 9562 §5.4).
    package static func random(using generator: inout some RandomNumberGenerator) -> String {
        text((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }, version: 4)
    }

    /// Returns 16 bytes as a UUID of a version.
    package static func text(_ bytes: [UInt8], version: UInt8) -> String {
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        return [bytes[..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10...]]
            .map(\.hexadecimal).joined(separator: "-")
    }

    /// Returns whether a text is a random UUID, in either case.
    package static func isRandom(_ text: some StringProtocol) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36, bytes[14] == UInt8(ascii: "4"), "89abAB".utf8.contains(bytes[19]) else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            [8, 13, 18, 23].contains(index)
                ? byte == UInt8(ascii: "-") : "0123456789abcdefABCDEF".utf8.contains(byte)
        }
    }
}
