internal import GatewayProtocol

/// The first line of a recording: what the file is, and by which rules the rest is to be read.
struct RecordingHeader: Hashable, Sendable {
    /// The only version there is. It changes when an older reader would misread a newer file.
    static let version = 1

    /// When the recording began, ISO 8601 in UTC.
    let startedAt: String

    init(startedAt: String) {
        self.startedAt = startedAt
    }

    /// The header as one line of JSON, with its end.
    var line: [UInt8] {
        let fields: [String: JSONValue] = [
            "clawradarRecording": .number(JSONNumber(Self.version)), "startedAt": .string(startedAt),
        ]
        return JSONValue.object(fields).encoded + [UInt8(ascii: "\n")]
    }

    /// Reads a line, without its end.
    init(line: [UInt8]) throws(RecordingProblem) {
        let expected = RecordingProblem("the first line is to be {\"clawradarRecording\":1,…}; this is no recording")
        guard let value = try? JSONValue(parsing: line), let version = value["clawradarRecording"]?.int else {
            throw expected
        }
        guard version == Self.version else {
            throw RecordingProblem("the recording has version \(version); this program reads \(Self.version)")
        }
        self.startedAt = value["startedAt"]?.string ?? ""
    }
}
