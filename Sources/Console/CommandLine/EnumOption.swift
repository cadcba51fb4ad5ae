/// An argument that is one of several words.
package enum EnumOption {
    /// Returns the value of a word, or throws a problem that lists all words.
    ///
    /// - Parameters:
    ///   - found: The value of the word; `nil` if it has none.
    ///   - what: A noun for the word, with which a sentence can begin: `A release`.
    package static func value<Value: CaseIterable & RawRepresentable<String>>(
        _ found: Value?,
        _ what: String
    ) throws(ArgumentProblem) -> Value {
        guard let found else { throw ArgumentProblem("\(what) is one of \(Value.words).") }
        return found
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// A list of all words, for people.
    package static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
