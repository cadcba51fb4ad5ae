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
    private let subject: String

    init(_ value: JSONValue?, of subject: String) throws(RecordingProblem) {
        guard let fields = value?.object else { throw RecordingProblem(.wrongValue, "\(subject) is to be an object") }
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
        RecordingProblem(.wrongValue, "“\(key)” of \(subject) is to be \(expected)")
    }

    func fields(_ key: String) throws(RecordingProblem) -> RecordedFields {
        try RecordedFields(self[key], of: "“\(key)” of \(subject)")
    }

    func text(_ key: String) throws(RecordingProblem) -> String {
        guard let text = try optionalText(key) else { throw problem(at: key, expected: "a text") }
        return text
    }

    func optionalText(_ key: String) throws(RecordingProblem) -> String? {
        guard let value = self[key] else { return nil }
        guard let text = value.string, text.utf8.count <= Self.textLimit else {
            throw problem(at: key, expected: "a text of at most \(Self.textLimit) bytes")
        }
        return text
    }

    func bytes(_ key: String) throws(RecordingProblem) -> [UInt8] {
        guard let bytes = self[key]?.bytes, bytes.count <= Self.textLimit else {
            throw problem(at: key, expected: "a text or {\"base64\":…} of at most \(Self.textLimit) bytes")
        }
        return bytes
    }

    func bool(_ key: String) throws(RecordingProblem) -> Bool {
        guard let bool = self[key]?.bool else { throw problem(at: key, expected: "true or false") }
        return bool
    }

    func int(_ key: String, in range: ClosedRange<Int>) throws(RecordingProblem) -> Int {
        guard let number = self[key]?.int, range.contains(number) else {
            throw problem(at: key, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func list(_ key: String) throws(RecordingProblem) -> [JSONValue] {
        guard let list = self[key]?.array, list.count <= Self.listLimit else {
            throw problem(at: key, expected: "a list of at most \(Self.listLimit)")
        }
        return list
    }

    /// Returns a value of a type whose raw values are words.
    func rawValue<Word: RawRepresentable<String>>(_ key: String, _: Word.Type) throws(RecordingProblem) -> Word {
        guard let word = self[key]?.string.flatMap(Word.init) else {
            throw problem(at: key, expected: "a word that this version knows")
        }
        return word
    }

    /// Returns a duration that is recorded as seconds and attoseconds.
    func duration(_ key: String) throws(RecordingProblem) -> Duration {
        let parts = try list(key).compactMap(\.int)
        guard parts.count == 2, (0...Int(Self.durations.upperBound.components.seconds)).contains(parts[0]),
            (0..<1_000_000_000_000_000_000).contains(parts[1])
        else { throw problem(at: key, expected: "[seconds, attoseconds]") }
        return Duration(secondsComponent: Int64(parts[0]), attosecondsComponent: Int64(parts[1]))
    }
}

/// Values as they are recorded, cut to the bounds of the reader, so that every recording can be read again.
extension JSONValue {
    /// Makes a string from a text. A text that is too long is cut between two Unicode scalars.
    init(recording text: String) {
        guard text.utf8.count > RecordedFields.textLimit else {
            self = .string(text)
            return
        }
        var length = 0
        let scalars = text.unicodeScalars.prefix {
            length += UTF8.width($0)
            return length <= RecordedFields.textLimit
        }
        self = .string(String(scalars))
    }

    /// Makes an array from the first entries of a list, as many as the reader accepts.
    init(recording list: some Sequence<JSONValue>) {
        self = .array(Array(list.prefix(RecordedFields.listLimit)))
    }

    /// Makes an array of seconds and attoseconds from a duration: exactly, if it is within
    /// ``RecordedFields/durations``, and otherwise from the nearest limit.
    init(recording duration: Duration) {
        let durations = RecordedFields.durations
        let parts = min(max(duration, durations.lowerBound), durations.upperBound).components
        self = .array([JSONValue(parts.seconds), JSONValue(parts.attoseconds)])
    }
}
