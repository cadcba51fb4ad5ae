package import ArgumentParser
internal import Reports

/// The command-line arguments, their preparation for the argument parser, and the message for invalid ones.
package struct CommandLineArguments {
    /// The arguments as they were typed, without the name of the program.
    private var typed: [String]

    /// The command that they are for.
    private let root: any ParsableCommand.Type

    /// The advice of the program on arguments that have words too many.
    private let adviceOnWords: @Sendable ([String]) -> String?

    /// - Parameters:
    ///   - typed: The arguments as they were typed.
    ///   - root: The command that they are for.
    ///   - adviceOnWords: A closure that gets the arguments where there are more of them than their verb takes, and returns a
    ///     sentence; `nil` if it has none.
    package init(
        _ typed: [String],
        for root: any ParsableCommand.Type,
        adviceOnWords: @escaping @Sendable ([String]) -> String? = { _ in nil }
    ) {
        self.typed = typed
        self.root = root
        self.adviceOnWords = adviceOnWords
        // Otherwise `help` with an unknown verb would print the general help, and succeed.
        if typed.first == "help", typed.dropFirst().first.map(isUnknownVerb) == true { self.typed.removeFirst() }
    }

    private var verbs: [String] {
        let shown = root.configuration.subcommands.map { $0.configuration }.filter { $0.shouldDisplay }
        return shown.compactMap { $0.commandName } + ["help"]
    }

    private func isUnknownVerb(_ word: String) -> Bool {
        let all = root.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        return !word.hasPrefix("-") && !all.contains(word)
    }

    /// The arguments for the argument parser: a negative number is joined to the option before it, because the parser
    /// would take it for an option.
    package var prepared: [String] {
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

    /// Returns the advice on words that were taken for several arguments; `nil` if there is none.
    private func adviceOnWordsTooMany(_ message: String) -> String? {
        guard message.contains(/^Error: (?:Unexpected argument|\d+ unexpected arguments)/) else { return nil }
        return adviceOnWords(typed)
    }

    /// Returns a message that explains why the arguments are invalid.
    ///
    /// - Parameter error: The error that the argument parser threw.
    package func problem(_ error: any Error) -> String {
        var message = root.fullMessage(for: error)
        if let verb = typed.first, isUnknownVerb(verb) {
            let advice =
                SpellingSuggestion.nearest(to: verb, among: verbs).map { "Did you mean “\($0)”?" }
                ?? "There are \(verbs.joined(separator: ", "))."
            let rest = message.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
            message = (["Error: There is no verb “\(verb)”. \(advice)"] + rest).joined(separator: "\n")
        }
        if let advice = adviceOnWordsTooMany(message) {
            let rest = message.split(separator: "\n", omittingEmptySubsequences: false)
            message = (["\(rest.first ?? ""). \(advice)"] + rest.dropFirst().map(String.init)).joined(separator: "\n")
        }
        // Redacted as whole arguments, because a password can contain spaces.
        for argument in typed where argument.utf8.contains(UInt8(ascii: "@")) {
            let value = argument.hasPrefix("--") ? argument.drop { $0 != "=" }.dropFirst() : argument[...]
            guard !value.isEmpty else { continue }
            message = message.replacing(value, with: Redaction.address(String(value)))
        }
        return Redaction.text(message)
    }
}
