/// An argument that is one of several words.
enum WordOption {
    /// The value of a word.
    ///
    /// - Parameters:
    ///   - found: The value that the word has; `nil` where it is none of them.
    ///   - what: What the word is, to begin a sentence with: `A release`.
    static func value<Value: CaseIterable & RawRepresentable<String>>(
        _ found: Value?,
        _ what: String
    ) throws(ArgumentProblem) -> Value {
        guard let found else { throw ArgumentProblem("\(what) is one of \(Value.words).") }
        return found
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// All of them, for people.
    static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
