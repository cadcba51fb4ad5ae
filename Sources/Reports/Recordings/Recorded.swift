internal import DNSSD
internal import GatewayProtocol
internal import Scanning

/// A value that has a form in recordings: cut to the bounds of its reader, so that every recording can be read again.
protocol Recorded {
    var recording: JSONValue { get }

    /// Reads the value of a key of an object, or an entry of it.
    static func read(_ value: JSONValue, _ key: String, of fields: RecordedFields) throws(RecordingProblem) -> Self
}

/// A value that is recorded as an object.
protocol RecordedObject: Recorded {
    init(recording fields: RecordedFields) throws(RecordingProblem)
}

extension RecordedObject {
    static func read(_ value: JSONValue, _ key: String, of fields: RecordedFields) throws(RecordingProblem) -> Self {
        try Self(recording: RecordedFields(value, of: "“\(key)” of \(fields.subject)"))
    }
}

/// A value that is recorded as a text.
protocol RecordedText: Recorded {
    var recordedText: String { get }
    init?(recordedText: String)

    /// A description of the texts that are read, for messages.
    static var expectation: String { get }
}

extension RecordedText {
    var recording: JSONValue { recordedText.recording }

    static var expectation: String { "a word that this version knows" }

    static func read(_ value: JSONValue, _ key: String, of fields: RecordedFields) throws(RecordingProblem) -> Self {
        guard let read = Self(recordedText: try String.read(value, key, of: fields)) else {
            throw fields.problem(at: key, expected: expectation)
        }
        return read
    }
}

extension RecordedText where Self: RawRepresentable<String> {
    var recordedText: String { rawValue }
    init?(recordedText: String) { self.init(rawValue: recordedText) }
}

extension AddressFamily: RecordedText {}
extension BotState: RecordedText {}
extension DeviceDecision: RecordedText {}
extension GatewayAspect: RecordedText {}
extension GatewayFlag: RecordedText {}
extension Liveness: RecordedText {}
extension LossReason: RecordedText {}
extension PlaceSource: RecordedText {}
extension Reach: RecordedText {}
extension ServiceAspect: RecordedText {}
extension SessionLoss: RecordedText {}
extension ShownSession.Remedy: RecordedText {}
extension ShownSession.State: RecordedText {}
extension SightingSource: RecordedText {}
extension TargetRefusal: RecordedText {}
extension WaitingReason: RecordedText {}

extension JSONValue: Recorded {
    var recording: JSONValue { self }

    static func read(_ value: JSONValue, _: String, of _: RecordedFields) -> JSONValue { value }

    /// Makes an object. Keys without a value are left out.
    init(recording fields: KeyValuePairs<String, (any Recorded)?>) {
        var object: [String: JSONValue] = [:]
        for (key, value) in fields { object[key] = value?.recording }
        self = .object(object)
    }
}

extension String: Recorded {
    /// The text; one that is too long is cut between two Unicode scalars.
    var recording: JSONValue {
        guard utf8.count > RecordedFields.textLimit else { return .string(self) }
        var length = 0
        let scalars = unicodeScalars.prefix {
            length += UTF8.width($0)
            return length <= RecordedFields.textLimit
        }
        return .string(String(scalars))
    }

    static func read(_ value: JSONValue, _ key: String, of fields: RecordedFields) throws(RecordingProblem) -> String {
        guard let text = value.string, text.utf8.count <= RecordedFields.textLimit else {
            throw fields.problem(at: key, expected: "a text of at most \(RecordedFields.textLimit) bytes")
        }
        return text
    }
}

extension Bool: Recorded {
    var recording: JSONValue { .bool(self) }

    static func read(_ value: JSONValue, _ key: String, of fields: RecordedFields) throws(RecordingProblem) -> Bool {
        guard let bool = value.bool else { throw fields.problem(at: key, expected: "true or false") }
        return bool
    }
}

extension Recorded where Self: FixedWidthInteger {
    var recording: JSONValue { JSONValue(self) }

    static func read(_ value: JSONValue, _ key: String, of fields: RecordedFields) throws(RecordingProblem) -> Self {
        guard let number = value.int, number >= 0, let read = Self(exactly: number) else {
            throw fields.problem(at: key, expected: "a whole number from 0 to \(Self.max)")
        }
        return read
    }
}

extension Int: Recorded {}
extension UInt16: Recorded {}
extension UInt32: Recorded {}
extension UInt64: Recorded {}

extension Duration: Recorded {
    /// Seconds and attoseconds: exact within ``RecordedFields/durations``, and otherwise of the nearest limit.
    var recording: JSONValue {
        let durations = RecordedFields.durations
        let parts = min(max(self, durations.lowerBound), durations.upperBound).components
        return .array([JSONValue(parts.seconds), JSONValue(parts.attoseconds)])
    }

    static func read(
        _ value: JSONValue,
        _ key: String,
        of fields: RecordedFields
    ) throws(RecordingProblem) -> Duration {
        let parts = (value.array ?? []).compactMap(\.int)
        guard parts.count == 2, (0...Int(RecordedFields.durations.upperBound.components.seconds)).contains(parts[0]),
            (0..<1_000_000_000_000_000_000).contains(parts[1])
        else { throw fields.problem(at: key, expected: "[seconds, attoseconds]") }
        return Duration(secondsComponent: Int64(parts[0]), attosecondsComponent: Int64(parts[1]))
    }
}

extension Array: Recorded where Element: Recorded {
    /// The first entries, as many as the reader accepts.
    var recording: JSONValue { .array(prefix(RecordedFields.listLimit).map(\.recording)) }

    static func read(_ value: JSONValue, _ key: String, of fields: RecordedFields) throws(RecordingProblem) -> Self {
        guard let list = value.array, list.count <= RecordedFields.listLimit else {
            throw fields.problem(at: key, expected: "a list of at most \(RecordedFields.listLimit)")
        }
        return try list.map { value throws(RecordingProblem) in try Element.read(value, key, of: fields) }
    }
}

extension Set: Recorded where Element: Recorded & Comparable {
    var recording: JSONValue { sorted().recording }

    static func read(_ value: JSONValue, _ key: String, of fields: RecordedFields) throws(RecordingProblem) -> Self {
        Set(try [Element].read(value, key, of: fields))
    }
}
