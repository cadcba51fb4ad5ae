internal import GatewayProtocol

/// The fields of one object of a recording, read with bounds, because a recording can come from an untrusted source.
struct RecordedFields {
    /// The maximum length of a text, in bytes.
    static let textLimit = 4_096

    /// The maximum number of entries of a list.
    static let listLimit = 1_024

    /// The range of durations that are read: far beyond any that is measured, and far from arithmetic overflow.
    static let durations = Duration.zero...Duration.seconds(1_000_000_000)

    private let fields: [String: JSONValue]

    /// A description of the object, for messages.
    let subject: String

    init(_ value: JSONValue?, of subject: String) throws(RecordingProblem) {
        guard let fields = value?.object else { throw RecordingProblem("\(subject) is to be an object") }
        self.fields = fields
        self.subject = subject
    }

    /// The value of a key; `nil` if it is missing or `null`.
    subscript(key: String) -> JSONValue? {
        guard let value = fields[key], value != .null else { return nil }
        return value
    }

    /// Makes a problem that says what was expected as the value of a key.
    func problem(at key: String, expected: String) -> RecordingProblem {
        RecordingProblem("“\(key)” of \(subject) is to be \(expected)")
    }

    /// Makes the problem that a key has none of the words that are known.
    func unknownWord(at key: String) -> RecordingProblem {
        problem(at: key, expected: "a word that this version knows")
    }

    /// Returns the value of a key.
    func value<Value: Recorded>(_ key: String) throws(RecordingProblem) -> Value {
        try Value.read(self[key] ?? .null, key, of: self)
    }

    /// Returns the value of a key; `nil` if it is missing or `null`.
    func optional<Value: Recorded>(_ key: String) throws(RecordingProblem) -> Value? {
        guard let value = self[key] else { return nil }
        return try Value.read(value, key, of: self)
    }

    /// Returns a list of any length, of a document whose size is bounded.
    func all<Value: Recorded>(_ key: String) throws(RecordingProblem) -> [Value] {
        guard let list = self[key]?.array else { throw problem(at: key, expected: "a list") }
        return try list.map { value throws(RecordingProblem) in try Value.read(value, key, of: self) }
    }

    func bytes(_ key: String) throws(RecordingProblem) -> [UInt8] {
        guard let bytes = self[key]?.bytes, bytes.count <= Self.textLimit else {
            throw problem(at: key, expected: "a text or {\"base64\":…} of at most \(Self.textLimit) bytes")
        }
        return bytes
    }
}
