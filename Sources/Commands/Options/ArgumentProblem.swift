/// The reason why an argument cannot be used: what was expected and what to do. What was found is shown by the argument
/// parser.
struct ArgumentProblem: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
