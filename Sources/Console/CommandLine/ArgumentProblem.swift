/// The reason why an argument cannot be used: what was expected, and what to do. The argument parser itself shows the
/// value that was given.
package struct ArgumentProblem: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
