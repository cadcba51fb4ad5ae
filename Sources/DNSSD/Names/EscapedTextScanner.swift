/// Splits an escaped name into bytes and the dots between labels (RFC 1035 §5.1).
struct EscapedTextScanner {
    enum Token {
        case byte(UInt8)
        case separator
    }

    private var bytes: String.UTF8View.Iterator

    init(_ text: String) {
        self.bytes = text.utf8.makeIterator()
    }

    /// Returns the next byte or dot; `nil` at the end.
    mutating func next() throws(DNSSDError) -> Token? {
        guard let byte = bytes.next() else { return nil }
        switch byte {
        case UInt8(ascii: "."):
            return .separator
        case UInt8(ascii: "\\"):
            guard let escaped = bytes.next() else { throw .invalidEscape }
            guard let hundreds = Self.digit(escaped) else { return .byte(escaped) }
            guard let tens = bytes.next().flatMap(Self.digit), let ones = bytes.next().flatMap(Self.digit),
                let value = UInt8(exactly: hundreds * 100 + tens * 10 + ones)
            else { throw .invalidEscape }
            return .byte(value)
        default:
            return .byte(byte)
        }
    }

    private static func digit(_ byte: UInt8) -> Int? {
        let value = Int(byte) - 0x30
        return (0...9).contains(value) ? value : nil
    }
}
