extension DomainName {
    /// Reads an escaped name such as `Foo\.bar._openclaw._tcp.local`, with or without the trailing dot.
    ///
    /// All common forms are accepted: `\DDD` (decimal, a byte) and `\X` for any other character (RFC 1035 §5.1), as
    /// Avahi, Apple and this type write them. All other characters represent their UTF-8 bytes.
    ///
    /// - Throws: `emptyLabel`, `labelTooLong`, `domainNameTooLong` or `invalidEscape`.
    public init(escaped text: String) throws(DNSSDError) {
        // Before the root the longest name has 254 bytes, each of which is written with at most four characters.
        guard text.utf8.count <= 4 * Self.maximumWireLength else { throw .domainNameTooLong }
        // The byte at `start` becomes the length of the label after it, or remains the zero byte of the root.
        var wire: [UInt8] = [0]
        wire.reserveCapacity(text.utf8.count + 2)
        var start = 0
        var scanner = EscapedTextScanner(text)
        while let token = try scanner.next() {
            switch token {
            case .byte(let byte):
                wire.append(byte)
            case .separator:
                // "." alone is the root.
                if wire.count == 1, text == "." { break }
                try Self.endLabel(at: &start, in: &wire)
            }
        }
        if wire.count - start > 1 { try Self.endLabel(at: &start, in: &wire) }
        self.init(checkedWire: wire)
    }

    private static func endLabel(at start: inout Int, in wire: inout [UInt8]) throws(DNSSDError) {
        let length = wire.count - start - 1
        try check(length: length)
        wire[start] = UInt8(truncatingIfNeeded: length)
        start = wire.count
        wire.append(0)
        guard wire.count <= maximumWireLength else { throw .domainNameTooLong }
    }

    /// The name as text without the trailing dot: every label ``escape(_:)``d. Empty for the root.
    ///
    /// The text is built on every access: compare and look up names, not their texts.
    public var escaped: String {
        var text: [UInt8] = []
        text.reserveCapacity(wire.count)
        for label in labels {
            if !text.isEmpty { text.append(UInt8(ascii: ".")) }
            Self.escape(label, into: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns one label as text, in the one form that is used everywhere (RFC 1035 §5.1): `.` and `\` after a
    /// backslash, controls and space as `\DDD`.
    ///
    /// UTF-8 stays readable; in a label that is not UTF-8 all bytes from 0x80 on become `\DDD`, so that nothing is
    /// lost. Avahi escapes more, but reads this form as well. The text is not clean enough to be shown to people: use
    /// ``DisplayText`` for that.
    public static func escape(_ label: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(label.count)
        escape(label, into: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func escape(_ label: some Collection<UInt8>, into text: inout [UInt8]) {
        let isASCII = label.allSatisfy { $0 < 0x80 }
        let isText = isASCII || String(validating: label, as: UTF8.self) != nil
        for byte in label {
            switch byte {
            case UInt8(ascii: "."), UInt8(ascii: "\\"):
                text += [UInt8(ascii: "\\"), byte]
            case 0x21...0x7E:
                text.append(byte)
            case 0x80... where isText:
                text.append(byte)
            default:
                let zero = UInt8(ascii: "0")
                text += [UInt8(ascii: "\\"), zero + byte / 100, zero + byte / 10 % 10, zero + byte % 10]
            }
        }
    }

    /// Returns the bytes of one escaped label; see ``init(escaped:)`` for the forms.
    ///
    /// - Throws: `invalidEscape`, `emptyLabel` or `labelTooLong`; an unescaped dot, which would begin another label, is
    ///   an `invalidEscape`.
    public static func unescape(_ label: String) throws(DNSSDError) -> [UInt8] {
        guard label.utf8.count <= 4 * maximumLabelLength else { throw .labelTooLong(count: label.utf8.count) }
        let bytes = try bytes(escaped: label)
        try check(length: bytes.count)
        return bytes
    }

    /// Returns the bytes of a text that is escaped like one label, however many they are.
    ///
    /// - Throws: `invalidEscape`, also for an unescaped dot.
    package static func bytes(escaped text: String) throws(DNSSDError) -> [UInt8] {
        var bytes: [UInt8] = []
        var scanner = EscapedTextScanner(text)
        while let token = try scanner.next() {
            guard case .byte(let byte) = token else { throw .invalidEscape }
            bytes.append(byte)
        }
        return bytes
    }
}

extension DomainName: CustomStringConvertible {
    /// The ``escaped`` text.
    public var description: String { escaped }
}
