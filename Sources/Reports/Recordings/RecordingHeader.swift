internal import GatewayProtocol

/// The first line of a recording, which identifies the file as a recording and gives the version of its format.
package struct RecordingHeader: Hashable, Sendable {
    /// The only version so far. It changes when an older reader would misread a newer file.
    package static let version = 1

    /// The time at which the recording began.
    package let startedAt: Timestamp

    /// Creates the header of a recording that began at this time, in the only ``version``.
    package init(startedAt: Timestamp) {
        self.startedAt = startedAt
    }

    /// The header as one line of JSON, with a line feed at its end.
    package var line: [UInt8] {
        let fields: [String: JSONValue] = [
            "clawradarRecording": JSONValue(Self.version), "startedAt": .string(startedAt.description),
        ]
        return JSONValue.object(fields).encoded + [UInt8(ascii: "\n")]
    }

    /// Reads a line without its line feed.
    ///
    /// - Throws: The reason why the line is not the header of a recording that this version can read.
    package init(line: [UInt8]) throws(RecordingProblem) {
        guard let value = try? JSONValue(parsing: line), let version = value["clawradarRecording"]?.int else {
            throw RecordingProblem("expected {\"clawradarRecording\":1,…} first; this is no recording")
        }
        guard version == Self.version else {
            throw RecordingProblem(
                "the recording has version \(version); this program reads \(Self.version)"
            )
        }
        guard let startedAt = value["startedAt"]?.string.flatMap({ Timestamp($0) }) else {
            throw RecordingProblem("“startedAt” is to be a time such as 2026-11-21T12:00:00.000Z")
        }
        self.startedAt = startedAt
    }
}
