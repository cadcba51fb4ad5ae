/// The text of a random identifier: 128 bits, as 32 lower-case hexadecimal digits.
enum RandomDigits {
    /// Returns a new text, from the bits of a generator.
    static func make(using generator: inout some RandomNumberGenerator) -> String {
        (0..<16).map { _ in
            let byte = UInt8.random(in: .min ... .max, using: &generator)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Indicates whether a text has this form.
    static func areIn(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
