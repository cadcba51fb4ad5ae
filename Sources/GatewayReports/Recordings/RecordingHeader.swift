internal import GatewayProtocol

/// The first line of a recording: what the file is, and by which rules the rest is to be read.
public struct RecordingHeader: Hashable, Sendable {
    /// The only version there is. It changes when an older reader would misread a newer file.
    public static let version = 1

    /// The time at which the recording began.
    public let startedAt: Timestamp

    public init(startedAt: Timestamp) {
        self.startedAt = startedAt
    }

    /// The header as one line of JSON, with its end.
    public var line: [UInt8] {
        let fields: [String: JSONValue] = [
            "clawradarRecording": JSONValue(Self.version), "startedAt": .string(startedAt.description),
        ]
        return JSONValue.object(fields).encoded + [UInt8(ascii: "\n")]
    }

    /// Reads a line, without its end.
    ///
    /// - Throws: The reason why it is not the first line of a recording that can be read.
    public init(line: [UInt8]) throws(RecordingProblem) {
        guard let value = try? JSONValue(parsing: line), let version = value["clawradarRecording"]?.int else {
            throw RecordingProblem("expected {\"clawradarRecording\":1,…} first; this is no recording")
        }
        guard version == Self.version else {
            throw RecordingProblem("the recording has version \(version); this program reads \(Self.version)")
        }
        guard let startedAt = value["startedAt"]?.string.flatMap({ Timestamp($0) }) else {
            throw RecordingProblem("“startedAt” is to be a time such as 2026-11-21T12:00:00.000Z")
        }
        self.startedAt = startedAt
    }
}
