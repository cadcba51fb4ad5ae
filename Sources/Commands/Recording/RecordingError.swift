/// The reason why a recording cannot be read or written: what was expected, what was found and where.
struct RecordingError: Error, Hashable, CustomStringConvertible {
    /// The file.
    let path: String

    /// The line that is broken, the first being 1; `nil` when it is about the file as a whole.
    let line: Int?

    let message: String

    var description: String { line.map { "\(path), line \($0): \(message)" } ?? "\(path): \(message)" }
}
