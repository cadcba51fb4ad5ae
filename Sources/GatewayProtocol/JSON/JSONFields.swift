/// Reads the fields of one object within limits, and says in its errors which field is wrong. A field that is `null`
/// counts as absent.
struct JSONFields {
    private let fields: [String: JSONValue]

    /// A description of the object, for error messages.
    private let subject: String

    init(_ value: JSONValue?, of subject: String) throws(GatewayMessageError) {
        guard case .object(let fields) = value else {
            throw GatewayMessageError(value == nil ? .missingField : .wrongType, "\(subject) is no object")
        }
        self.fields = fields
        self.subject = subject
    }

    subscript(key: String) -> JSONValue? {
        guard let value = fields[key], value != .null else { return nil }
        return value
    }

    /// Returns a text of at most `limit` bytes.
    func string(_ key: String, limit: Int = 256) throws(GatewayMessageError) -> String {
        try required(key, try optionalString(key, limit: limit))
    }

    /// Returns a text of at most `limit` bytes, or `nil` if there is none.
    func optionalString(_ key: String, limit: Int = 256) throws(GatewayMessageError) -> String? {
        guard let value = self[key] else { return nil }
        guard let text = value.string else { throw wrongType(key, "a string") }
        guard text.utf8.count <= limit else { throw tooLong(key, limit) }
        return text
    }

    /// Returns a secret text of at most `limit` bytes.
    func secret(_ key: String, limit: Int) throws(GatewayMessageError) -> Secret {
        try required(key, try optionalSecret(key, limit: limit))
    }

    /// Returns a secret text of at most `limit` bytes, or `nil` if there is none.
    func optionalSecret(_ key: String, limit: Int) throws(GatewayMessageError) -> Secret? {
        guard let value = self[key] else { return nil }
        guard let secret = value.secret else { throw wrongType(key, "a string") }
        guard secret.count <= limit else { throw tooLong(key, limit) }
        return secret
    }

    func bool(_ key: String) throws(GatewayMessageError) -> Bool {
        guard let value = self[key] else { return try required(key, nil) }
        guard let truth = value.bool else { throw wrongType(key, "true or false") }
        return truth
    }

    func optionalInt(_ key: String) throws(GatewayMessageError) -> Int? {
        guard let value = self[key] else { return nil }
        guard let number = value.int else { throw wrongType(key, "a whole number") }
        return number
    }

    private func required<Value>(_ key: String, _ value: Value?) throws(GatewayMessageError) -> Value {
        guard let value else {
            throw GatewayMessageError(.missingField, "\(subject) has no \u{201C}\(key)\u{201D}")
        }
        return value
    }

    private func tooLong(_ key: String, _ limit: Int) -> GatewayMessageError {
        GatewayMessageError(.outOfBounds, "\u{201C}\(key)\u{201D} of \(subject) has over \(limit) bytes")
    }

    private func wrongType(_ key: String, _ expected: String) -> GatewayMessageError {
        GatewayMessageError(.wrongType, "\u{201C}\(key)\u{201D} of \(subject) is not \(expected)")
    }
}
