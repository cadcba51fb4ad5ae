internal import GatewayProtocol

extension JSONValue {
    /// A text, or `null` where there is none.
    init(_ text: String?) {
        self = text.map(JSONValue.string) ?? .null
    }

    /// A whole number, or `null` where there is none.
    init(_ number: (some BinaryInteger)?) {
        self = number.map { .number(JSONNumber(Int(truncatingIfNeeded: $0))) } ?? .null
    }

    /// A list of texts.
    init(_ texts: [String]) {
        self = .array(texts.map(JSONValue.string))
    }

    /// A time in milliseconds, to the microsecond; `null` where there is none.
    init(milliseconds time: Duration?) {
        self = time.map { .number(JSONNumber(thousandths: $0.wholeMicroseconds)) } ?? .null
    }

    /// Bytes, exactly: a string when they are UTF-8, else `{"base64":"…"}`; `null` where there are none.
    init(bytes: [UInt8]?) {
        guard let bytes else {
            self = .null
            return
        }
        if let text = String(validating: bytes, as: UTF8.self) {
            self = .string(text)
        } else {
            self = .object(["base64": .string(Base64.text(bytes))])
        }
    }

    /// The bytes that ``init(bytes:)`` has written; `nil` when it is something else.
    var bytes: [UInt8]? {
        if let text = string { return Array(text.utf8) }
        return self["base64"]?.string.flatMap(Base64.bytes)
    }
}
