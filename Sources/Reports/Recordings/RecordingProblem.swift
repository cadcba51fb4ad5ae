/// The reason why a line of a recording cannot be used.
package struct RecordingProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for people that says what was expected. It may quote the recording, which can come from a stranger.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
