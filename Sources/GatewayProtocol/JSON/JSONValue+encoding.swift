extension JSONValue {
    /// The value as JSON: keys sorted by their UTF-8, no white space, so that equal values have equal texts.
    ///
    /// Only quotation marks, backslashes and control characters are escaped; numbers are written as they were read.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        // An array that grows leaves copies of its content behind.
        if holdsSecret { bytes.reserveCapacity(mostBytes) }
        append(to: &bytes)
        return bytes
    }

    private var holdsSecret: Bool {
        switch self {
        case .null, .bool, .number, .string: false
        case .secret: true
        case .array(let values): values.contains(where: \.holdsSecret)
        case .object(let fields): fields.values.contains(where: \.holdsSecret)
        }
    }

    /// The most bytes that it can take: as if each byte of its texts were escaped.
    private var mostBytes: Int {
        switch self {
        case .null, .bool: 5
        case .number(let number): number.literal.utf8.count
        case .string(let text): Self.mostBytes(text.utf8.count)
        case .secret(let secret): Self.mostBytes(secret.count)
        case .array(let values): values.reduce(2) { $0 + $1.mostBytes + 1 }
        case .object(let fields): fields.reduce(2) { $0 + Self.mostBytes($1.key.utf8.count) + $1.value.mostBytes + 2 }
        }
    }

    private static func mostBytes(_ text: Int) -> Int { 2 + text * "\\u0000".utf8.count }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let number): bytes += number.literal.utf8
        case .string(let text): Self.append(text.utf8, to: &bytes)
        case .secret(let secret):
            secret.withUnsafeBytes { Self.append($0.prefix(secret.isText ? $0.count : 0), to: &bytes) }
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let fields):
            bytes.append(UInt8(ascii: "{"))
            let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (index, field) in sorted.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(field.key.utf8, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                field.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        let hexDigits = Array("0123456789abcdef".utf8)
        bytes.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes += [UInt8(ascii: "\\"), byte]
            // The short escapes of RFC 8259 §7.
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0..<0x20:
                bytes += "\\u00".utf8
                bytes += [hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 0x0F)]]
            default:
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
