package import GatewayProtocol

extension JSONValue {
    /// Makes a string from a text, or `null` from `nil`.
    package init(_ text: String?) {
        self = text.map(JSONValue.string) ?? .null
    }

    /// Makes a number from an integer, or `null` from `nil`.
    package init(_ number: (some BinaryInteger)?) {
        self = number.map { .number(JSONNumber(Int(truncatingIfNeeded: $0))) } ?? .null
    }

    /// Makes an array of strings.
    package init(_ texts: [String]) {
        self = .array(texts.map(JSONValue.string))
    }

    /// Makes a number of milliseconds, to the microsecond, from a duration, or `null` from `nil`.
    package init(milliseconds time: Duration?) {
        self = time.map { .number(JSONNumber(thousandths: $0.wholeMicroseconds)) } ?? .null
    }

    /// Makes an exact representation of bytes: a string if they are UTF-8, otherwise `{"base64":"…"}`; `null` from
    /// `nil`.
    package init(bytes: [UInt8]?) {
        guard let bytes else {
            self = .null
            return
        }
        if let text = String(validating: bytes, as: UTF8.self) {
            self = .string(text)
        } else {
            self = .object(["base64": .string(Base64.standard.encode(bytes))])
        }
    }

    /// The bytes that ``init(bytes:)`` represents as this value; `nil` if the value has another form.
    package var bytes: [UInt8]? {
        if let text = string { return Array(text.utf8) }
        return self["base64"]?.string.flatMap { Base64.standard.decode($0) }
    }
}
