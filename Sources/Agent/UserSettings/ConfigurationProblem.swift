/// The reason why a part of the configuration cannot be used: the place of the error, what was expected and what was
/// found.
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, for people.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Everything that is wrong in the configuration, in the order of its lines.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The mistakes, at least one.
    package let problems: [ConfigurationProblem]

    package init(_ problems: [ConfigurationProblem]) {
        self.problems = problems
    }

    /// One line for each mistake.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
