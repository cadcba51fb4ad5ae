internal import ArgumentParser
internal import Reports
internal import Scanning

/// The command-line arguments, their preparation for the argument parser, and the message for invalid ones.
struct CommandLineArguments {
    /// The arguments as they were typed, without the name of the program.
    private var typed: [String]

    /// The command that they are for.
    private let root: any ParsableCommand.Type

    init(_ typed: [String], for root: any ParsableCommand.Type = RootCommand.self) {
        self.typed = typed
        self.root = root
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

    /// The verbs that take one name, and the number of arguments after it.
    private static let verbsWithName: [String: Int] = [
        "probe": 0, "doctor": 0, "pair": 0, "unpair": 0, "disconnect": 0, "trust": 0, "forget": 0, "restore": 0,
        "archive": 0, "link": 0, "history": 0, "mute": 0, "approvals": 0, "alias": 1, "call": 1,
    ]

    /// Returns the advice to quote a name whose words were taken for several arguments; `nil` if they can be no name.
    private func adviceOnWordsTooMany(_ message: String) -> String? {
        guard message.contains(/^Error: (?:Unexpected argument|\d+ unexpected arguments)/), let verb = typed.first,
            let others = Self.verbsWithName[verb]
        else { return nil }
        let words = typed.dropFirst().prefix { !$0.hasPrefix("-") }
        let name = words.dropLast(others)
        guard name.count > 1, name.allSatisfy({ if case .name? = try? ProbeSubject($0) { true } else { false } }) else {
            return nil
        }
        let command =
            ["clawradar", verb, ShellWord(name: name.joined(separator: " "))?.description ?? "NAME"]
            + words.suffix(others)
        return "Quote a name with spaces: \(command.joined(separator: " "))"
    }

    /// Returns a message that explains why the arguments are invalid.
    ///
    /// - Parameter error: The error that the argument parser threw.
    func problem(_ error: any Error) -> String {
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
            message = message.replacing(value, with: ProbeAddress.redacted(address: String(value)))
        }
        return ProbeAddress.redacted(message)
    }
}

/// The reason why an argument cannot be used: what was expected, and what to do. The argument parser itself shows the
/// value that was given.
package struct ArgumentProblem: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
