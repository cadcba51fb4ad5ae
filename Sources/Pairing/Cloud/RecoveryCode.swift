internal import Crypto
package import GatewayProtocol

/// The vault key as text, to be written down or photographed and typed on another device: 14 groups of four characters, in
/// Crockford's base32, which has no letters that look like others. Its last 24 bits are a checksum, so that a slip of the pen
/// is noticed.
package struct RecoveryCode: Sendable {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let keyBytes = 32
    private static let checkBytes = 3

    /// The number of groups.
    package static let groups = 14

    /// The text in upper case, its groups joined by hyphens, which a QR code takes as it is.
    package let text: Secret

    /// Returns the code of a key.
    package init(_ vault: VaultKey) {
        var bytes = vault.key.bytes.withUnsafeBytes { Array($0) }
        bytes += Self.checksum(bytes)
        defer { bytes.wipe() }
        var (text, bits, count) = ([UInt8](), 0, 0)
        text.reserveCapacity(5 * Self.groups)
        for byte in bytes {
            (bits, count) = ((bits << 8 | Int(byte)) & 0xFFFF, count + 8)
            while count >= 5 {
                count -= 5
                if text.count % 5 == 4 { text.append(UInt8(ascii: "-")) }
                text.append(Self.alphabet[bits >> count & 31])
            }
        }
        self.text = Secret(bytes: text)
        text.wipe()
    }

    /// Returns the key of a code that was typed, in either case and with any spaces and hyphens; `nil` if it is none, or has a
    /// slip.
    package static func key(_ typed: Secret) -> VaultKey? {
        var (bytes, bits, count) = ([UInt8](), 0, 0)
        bytes.reserveCapacity(keyBytes + checkBytes)
        defer { bytes.wipe() }
        for character in typed.withUnsafeBytes({ Array($0) }) where !" -\t\r\n".utf8.contains(character) {
            guard let value = value(character), bytes.count < keyBytes + checkBytes else { return nil }
            (bits, count) = ((bits << 5 | value) & 0xFFFF, count + 5)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        guard bytes.count == keyBytes + checkBytes, count == 0,
            checksum(Array(bytes.prefix(keyBytes))) == Array(bytes.suffix(checkBytes))
        else { return nil }
        return SealingKey(Secret(bytes: bytes.prefix(keyBytes))).map(VaultKey.init)
    }

    /// Indicates whether a text is a group of this code: whoever types it has written the code down.
    package func hasGroup(_ number: Int, _ typed: String) -> Bool {
        guard (1...Self.groups).contains(number) else { return false }
        let start = (number - 1) * 5
        let group = text.withUnsafeBytes { Array($0[start..<start + 4]) }
        return group.map(Self.value) == typed.utf8.filter { $0 != 0x20 }.map(Self.value)
    }

    /// Reads a character, also one of the letters that the alphabet leaves out for their looks.
    private static func value(_ character: UInt8) -> Int? {
        let upper = (0x61...0x7A).contains(character) ? character - 0x20 : character
        switch upper {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        default: return alphabet.firstIndex(of: upper)
        }
    }

    private static func checksum(_ key: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: Array("clawradar recovery code 1".utf8) + key).prefix(checkBytes))
    }
}
