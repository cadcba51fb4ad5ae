/// The reason why a line of a recording cannot be used: what was expected.
struct RecordingProblem: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
