/// The reason why a line of a recording cannot be used.
package struct RecordingProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble with a recording. More may be added.
    package enum Code: String, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, which stays the same from version to version: for logs.
        package var description: String { rawValue }

        /// The first line is not the header of a recording.
        case noRecording
        /// The header has a version that this program cannot read.
        case unknownVersion
        /// The line is no JSON, or exceeds the limits.
        case malformed
        /// A field is missing, has another type, or has a value that this version does not know.
        case wrongValue
    }

    /// The kind of trouble.
    package let code: Code

    /// A description for people of what was expected. It may quote the recording, which can come from a stranger.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
