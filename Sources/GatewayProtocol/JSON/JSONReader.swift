/// Reads one JSON document from front to back. It recurses as deep as the document is nested, which is limited.
struct JSONReader {
    /// The keys whose texts are secrets, in any dialect.
    private static let secretKeys: Set<String> = [
        "token", "deviceToken", "bootstrapToken", "password", "pairingToken", "secret", "invitation",
        "setupCode",
    ]

    private let bytes: [UInt8]
    private let limits: JSONLimits
    private var position = 0
    private var values = 0

    init(_ bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func document() throws(GatewayMessageError) -> JSONValue {
        let value = try self.value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw malformed("the end") }
        return value
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func malformed(_ expected: String) -> GatewayMessageError {
        GatewayMessageError(.malformed, "expected \(expected) at byte \(position) of the JSON")
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int, isSecret: Bool = false) throws(GatewayMessageError) -> JSONValue {
        values += 1
        guard values <= limits.maximumValues else {
            let found = "expected JSON of at most \(limits.maximumValues) values, found more"
            throw GatewayMessageError(.tooManyValues, found)
        }
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return isSecret ? .secret(try secret()) : .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(GatewayMessageError) -> JSONValue {
        let expected = Array(word.description.utf8)
        guard bytes[position...].starts(with: expected) else { throw malformed("a value") }
        position += expected.count
        return value
    }

    private func checkDepth(_ depth: Int) throws(GatewayMessageError) {
        guard depth <= limits.maximumDepth else {
            throw GatewayMessageError(.tooDeep, "expected JSON nested at most \(limits.maximumDepth) deep, found more")
        }
    }

    private mutating func array(depth: Int) throws(GatewayMessageError) -> [JSONValue] {
        try checkDepth(depth)
        position += 1
        skipSpace()
        if take("]") { return [] }
        var values: [JSONValue] = []
        repeat {
            values.append(try value(depth: depth))
            skipSpace()
        } while take(",")
        guard take("]") else { throw malformed("a comma or the end of the array") }
        return values
    }

    private mutating func object(depth: Int) throws(GatewayMessageError) -> [String: JSONValue] {
        try checkDepth(depth)
        position += 1
        skipSpace()
        if take("}") { return [:] }
        var fields: [String: JSONValue] = [:]
        repeat {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw malformed("a key") }
            let key = try string()
            skipSpace()
            guard take(":") else { throw malformed("a colon") }
            let isSecret = limits.hidesSecrets && Self.secretKeys.contains(key)
            guard fields.updateValue(try value(depth: depth, isSecret: isSecret), forKey: key) == nil else {
                throw GatewayMessageError(.duplicateKey, "a key is there twice, the second before byte \(position)")
            }
            skipSpace()
        } while take(",")
        guard take("}") else { throw malformed("a comma or the end of the object") }
        return fields
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = current, byte &- 0x30 < 10 { position += 1 }
        return position - start
    }

    private mutating func number() throws(GatewayMessageError) -> JSONNumber {
        let start = position
        _ = take("-")
        if !take("0") {
            guard digits() > 0 else { throw malformed("a value") }
        }
        if take(".") {
            guard digits() > 0 else { throw malformed("a digit") }
        }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            guard digits() > 0 else { throw malformed("a digit") }
        }
        return JSONNumber(checkedLiteral: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func string() throws(GatewayMessageError) -> String {
        let text = try text()
        guard let string = String(validating: text, as: UTF8.self) else { throw malformed("UTF-8") }
        return string
    }

    private mutating func secret() throws(GatewayMessageError) -> Secret {
        let text = try text()
        let secret = Secret(bytes: text)
        // What was escaped was copied, and the rest is the document itself.
        if text.startIndex == 0 { text.withUnsafeBytes(Wiping.wipe) }
        guard secret.isText else { throw malformed("UTF-8") }
        return secret
    }

    /// Reads the bytes of a text: a part of the document, or a copy if anything in them is escaped. A part never starts
    /// at the document's first byte.
    private mutating func text() throws(GatewayMessageError) -> ArraySlice<UInt8> {
        position += 1
        let start = position
        while let byte = current, byte >= 0x20, byte != UInt8(ascii: "\\"), byte != UInt8(ascii: "\"") { position += 1 }
        if take("\"") { return bytes[start..<(position - 1)] }
        var text: [UInt8] = []
        // An array that grows leaves copies of its content behind.
        if limits.hidesSecrets {
            text.reserveCapacity(bytes[position...].firstIndex(of: UInt8(ascii: "\"")).map { $0 - start } ?? 0)
        }
        text += bytes[start..<position]
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return text[...]
            case UInt8(ascii: "\\"):
                try escape(into: &text)
            case 0..<0x20:
                throw malformed("an escaped control character")
            default:
                text.append(byte)
            }
        }
        throw malformed("the end of a string")
    }

    private mutating func escape(into text: inout [UInt8]) throws(GatewayMessageError) {
        guard let byte = current else { throw malformed("an escape") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += try character().utf8
        default: throw malformed("an escape")
        }
    }

    /// Reads the character that follows `\u`.
    private mutating func character() throws(GatewayMessageError) -> Unicode.Scalar {
        let unit = try codeUnit()
        if let character = Unicode.Scalar(unit) { return character }
        // A character beyond the basic multilingual plane is written as a surrogate pair (RFC 8259 §7); one half of a
        // pair is not a character.
        let end = position
        if UTF16.isLeadSurrogate(unit), take("\\"), take("u") {
            let second = try codeUnit()
            if UTF16.isTrailSurrogate(second) {
                return UTF16.decode(UTF16.EncodedScalar([unit, second]))
            }
        }
        guard limits.replacesUnpairedSurrogates else { throw malformed("both halves of a surrogate pair") }
        // The text after the unpaired half is read on its own.
        position = end
        return "\u{FFFD}"
    }

    private mutating func codeUnit() throws(GatewayMessageError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current else { throw malformed("four hexadecimal digits") }
            switch byte {
            case 0x30...0x39: unit = unit << 4 | UInt16(byte - 0x30)
            case 0x41...0x46: unit = unit << 4 | UInt16(byte - 0x41 + 10)
            case 0x61...0x66: unit = unit << 4 | UInt16(byte - 0x61 + 10)
            default: throw malformed("four hexadecimal digits")
            }
            position += 1
        }
        return unit
    }
}
