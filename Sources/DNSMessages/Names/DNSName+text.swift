extension DNSName {
    /// Reads an escaped name such as `Foo\.bar._openclaw._tcp.local`, with or without the trailing dot.
    ///
    /// `\DDD` (decimal, a byte) and `\X` for any other character are understood (RFC 1035 §5.1). Everything else stands
    /// for its UTF-8 bytes. The empty text and `.` are the root.
    ///
    /// - Throws: `emptyLabel`, `labelTooLong`, `nameTooLong` or `invalidEscape`.
    public init(escaped text: String) throws(DNSMessageError) {
        var wire: [UInt8] = []
        var label: [UInt8] = []
        let bytes = text == "." ? [] : Array(text.utf8.prefix(4 * Self.maximumLength + 1))
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "."):
                try Self.append(label, to: &wire)
                label = []
            case UInt8(ascii: "\\"):
                let (value, length) = try Self.escape(in: bytes, at: position)
                label.append(value)
                position += length
            default:
                label.append(byte)
            }
            position += 1
        }
        if !label.isEmpty { try Self.append(label, to: &wire) }
        guard text.utf8.count <= 4 * Self.maximumLength else {
            throw DNSMessageError(.nameTooLong, at: 4 * Self.maximumLength)
        }
        self.init(checkedWire: wire + [0])
    }

    /// What a backslash stands for, and how many bytes follow it.
    private static func escape(in bytes: [UInt8], at position: Int) throws(DNSMessageError) -> (UInt8, Int) {
        let rest = bytes[(position + 1)...].prefix(3)
        guard let first = rest.first else { throw DNSMessageError(.invalidEscape, at: position) }
        guard isDigit(first) else { return (first, 1) }
        let value = rest.reduce(0) { $0 * 10 + Int($1) - 0x30 }
        guard rest.count == 3, rest.allSatisfy(isDigit), let byte = UInt8(exactly: value) else {
            throw DNSMessageError(.invalidEscape, at: position)
        }
        return (byte, 3)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// The name as text without the trailing dot: `.` and `\` behind a backslash, everything that is not printable ASCII
    /// as `\DDD`. Empty for the root. It is safe to show: no control and no other script gets through.
    public var escaped: String {
        var text: [UInt8] = []
        for label in labels {
            if !text.isEmpty { text.append(UInt8(ascii: ".")) }
            for byte in label {
                switch byte {
                case UInt8(ascii: "."), UInt8(ascii: "\\"):
                    text += [UInt8(ascii: "\\"), byte]
                case 0x21...0x7E:
                    text.append(byte)
                default:
                    text += [UInt8(ascii: "\\"), 0x30 + byte / 100, 0x30 + byte / 10 % 10, 0x30 + byte % 10]
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension DNSName: CustomStringConvertible {
    /// The ``escaped`` text, with the trailing dot.
    public var description: String { escaped + "." }
}
