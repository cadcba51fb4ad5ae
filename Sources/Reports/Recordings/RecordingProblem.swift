/// The reason why a line of a recording cannot be used.
package struct RecordingProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble with a recording. More may be added.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case noRecording, unknownVersion, malformed, wrongValue
        }

        private let wrapped: Wrapped

        /// The name of the code, which stays the same from version to version: for logs.
        package var description: String { wrapped.rawValue }

        /// The first line is not the header of a recording.
        package static let noRecording = Code(wrapped: .noRecording)
        /// The header has a version that this program cannot read.
        package static let unknownVersion = Code(wrapped: .unknownVersion)
        /// The line is no JSON, or exceeds the limits.
        package static let malformed = Code(wrapped: .malformed)
        /// A field is missing, has another type, or has a value that this version does not know.
        package static let wrongValue = Code(wrapped: .wrongValue)
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
