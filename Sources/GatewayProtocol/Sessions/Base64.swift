/// Base64 (RFC 4648), in one of two forms.
package struct Base64: Sendable {
    /// The form with padding (§4), which JSON documents and recordings use for bytes that are not UTF-8.
    package static let standard = Base64(last: "+/", isPadded: true)

    /// The form with the alphabet that is safe in URLs and file names, without padding (§5): the form in which OpenClaw
    /// sends keys, signatures and setup codes.
    package static let url = Base64(last: "-_", isPadded: false)

    private static let padding = UInt8(ascii: "=")

    /// The 64 characters, in the order of the six bits that they encode.
    private let alphabet: [UInt8]

    private let isPadded: Bool

    /// Makes a form from the two characters that differ between the alphabets.
    private init(last: String, isPadded: Bool) {
        let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        self.alphabet = Array((common + last).utf8)
        self.isPadded = isPadded
    }

    /// Encodes bytes as text.
    package func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var (bits, count) = (UInt32(0), 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> UInt32(count) & 63)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
        while isPadded, !text.count.isMultiple(of: 4) { text.append(Self.padding) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text; `nil` unless it is the canonical encoding: without missing or superfluous padding, leftover bits
    /// or other characters.
    package func decode(_ text: some StringProtocol) -> [UInt8]? {
        var characters = Array(text.utf8)[...]
        if isPadded {
            guard characters.count.isMultiple(of: 4) else { return nil }
            // Any further padding is refused below, as a character outside of the alphabet.
            for _ in 0..<2 where characters.last == Self.padding { characters.removeLast() }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3 + 2)
        var (bits, count) = (UInt32(0), 0)
        for character in characters {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        guard count < 6, bits & (1 << UInt32(count) - 1) == 0 else { return nil }
        return bytes
    }

    /// Returns the six bits that a character encodes; `nil` for a character outside of the alphabet.
    private func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case alphabet[62]: 62
        case alphabet[63]: 63
        default: nil
        }
    }
}
