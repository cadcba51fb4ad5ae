extension DomainName {
    /// Reads an escaped name such as `Foo\.bar._openclaw._tcp.local`, with or without the trailing dot.
    ///
    /// All forms in use are understood: `\DDD` (decimal, a byte) and `\X` for any other character (RFC 1035 §5.1), as
    /// Avahi, Apple and this type write them. Everything else stands for its UTF-8 bytes.
    ///
    /// - Throws: `emptyLabel`, `labelTooLong`, `domainNameTooLong` or `invalidEscape`.
    public init(escaped text: String) throws(DNSSDError) {
        // The longest name has 254 bytes in labels, each escaped with up to four characters, and the dots.
        guard text.utf8.count <= 4 * Self.maximumWireLength else { throw .domainNameTooLong }
        var labels: [[UInt8]] = []
        var label: [UInt8] = []
        var scanner = EscapedTextScanner(text)
        while let token = try scanner.next() {
            switch token {
            case .byte(let byte):
                label.append(byte)
            case .separator:
                // "." alone is the root.
                if labels.isEmpty, label.isEmpty, text == "." { break }
                try Self.check(label)
                labels.append(label)
                label = []
            }
        }
        if !label.isEmpty { labels.append(label) }
        try self.init(labels: labels)
    }

    /// The name as text without the trailing dot: every label ``escape(_:)``d. Empty for the root.
    public var escaped: String {
        labels.map { Self.escape($0) }.joined(separator: ".")
    }

    /// One label as text: `.` and `\` behind a backslash, controls and space as `\DDD`.
    ///
    /// UTF-8 stays readable; a label that is not UTF-8 has all its bytes from 0x80 on as `\DDD`, so that nothing is
    /// lost. Avahi escapes more, and reads this form as well.
    public static func escape(_ label: some Collection<UInt8>) -> String {
        let isText = String(validating: label, as: UTF8.self) != nil
        var text: [UInt8] = []
        text.reserveCapacity(label.count)
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
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of one escaped label; see ``init(escaped:)`` for the forms.
    ///
    /// - Throws: `invalidEscape`, `emptyLabel` or `labelTooLong`; a bare dot, which would begin another label, is an
    ///   `invalidEscape`.
    public static func unescape(_ label: String) throws(DNSSDError) -> [UInt8] {
        guard label.utf8.count <= 4 * maximumLabelLength else { throw .labelTooLong(count: label.utf8.count) }
        var bytes: [UInt8] = []
        var scanner = EscapedTextScanner(label)
        while let token = try scanner.next() {
            guard case .byte(let byte) = token else { throw .invalidEscape }
            bytes.append(byte)
        }
        try check(bytes)
        return bytes
    }
}
