internal import ArgumentParser
internal import Scanning

/// The command-line arguments, their preparation for the argument parser, and the message for invalid ones.
struct CommandLineArguments {
    /// The arguments as they were typed, without the name of the program.
    private let typed: [String]

    private static let verbs =
        RootCommand.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]

    init(_ typed: [String]) {
        // Otherwise `help` with an unknown verb would print the general help, and succeed.
        let isAboutNothing = typed.first == "help" && typed.dropFirst().first.map(Self.isUnknownVerb) == true
        self.typed = isAboutNothing ? Array(typed.dropFirst()) : typed
    }

    private static func isUnknownVerb(_ word: String) -> Bool { !word.hasPrefix("-") && !verbs.contains(word) }

    /// The arguments for the argument parser: a negative number is joined to the option before it, because the parser
    /// would take it for an option.
    var prepared: [String] {
        var arguments: [String] = []
        for argument in typed {
            let isNegative = argument.hasPrefix("-") && argument.dropFirst().first?.isNumber == true
            if isNegative, let option = arguments.last, option.hasPrefix("--"), option != "--", !option.contains("=") {
                arguments[arguments.count - 1] = "\(option)=\(argument)"
            } else {
                arguments.append(argument)
            }
        }
        return arguments
    }

    /// Returns a message that explains why the arguments are invalid.
    ///
    /// - Parameter error: The error that the argument parser threw.
    func problem(_ error: any Error) -> String {
        var message = RootCommand.fullMessage(for: error)
        if let verb = typed.first, Self.isUnknownVerb(verb) {
            let verbs = Self.verbs
            let advice =
                SpellingSuggestion.nearest(to: verb, among: verbs).map { "Did you mean “\($0)”?" }
                ?? "There are \(verbs.joined(separator: ", "))."
            let rest = message.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
            message = (["Error: There is no verb “\(verb)”. \(advice)"] + rest).joined(separator: "\n")
        }
        // Redacted as whole arguments, because a password can contain spaces.
        for argument in typed where argument.contains("@") {
            let value = argument.hasPrefix("--") ? argument.drop { $0 != "=" }.dropFirst() : argument[...]
            guard !value.isEmpty else { continue }
            message = message.replacing(value, with: ProbeAddress.redacted(address: String(value)))
        }
        return ProbeAddress.redacted(message)
    }
}

/// The reason why an argument cannot be used: what was expected, and what to do. The argument parser itself shows the
/// value that was given.
struct ArgumentProblem: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
