internal import ArgumentParser
internal import Console
internal import Reports

/// The name of something paired, as an argument.
struct PairedNameArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Name, identifier, fingerprint or address of a gateway or bot, or the beginning of one.",
            valueName: "name"
        ),
        completion: .custom(StoreAccess.completions),
        transform: { try PairedName($0) }
    )
    var name: PairedName
}

/// The option for the format of one result.
struct ReportFormatOption: ParsableArguments {
    @Option(help: ArgumentHelp("The output format.", valueName: "format"))
    var format = ReportFormat.table

    /// Prints the result of a command: the line for people, or the document.
    func write(_ line: @autoclosure () -> String, _ document: some JSONReport) throws {
        try StandardOutput().write(format == .table ? "\(line())\n" : document.line)
    }
}

/// The option that answers the confirmation question of a command in advance.
struct ConfirmationOption: ParsableArguments {
    @Flag(name: .customLong("yes"), help: "Do not ask for confirmation.")
    var isGiven = false

    /// Asks the question, unless `--yes` was given.
    ///
    /// - Parameters:
    ///   - question: The question, in words of this tool.
    ///   - subjects: The things that it is about, each of which is shown on a line of its own before it.
    /// - Throws: A failure with the exit status 64 if there is no terminal to ask on, and with 130 if the answer is no.
    func confirm(_ question: String, _ subjects: [String]) async throws(CommandFailure) {
        guard !isGiven else { return }
        guard TerminalDialogue.isPossible else {
            let what = subjects.prefix(8).joined(separator: ", ")
            throw CommandFailure(.usage, "there is no terminal to ask on: \(question) (\(what)) Give --yes to do it.")
        }
        let width = (Notes.columns ?? 80) - 1
        Notes.write(subjects.map { "  \(DisplayWidth.fitKeepingEnd($0, in: width - 2))\n" }.joined())
        guard try await TerminalDialogue.confirm(question) else {
            throw CommandFailure(.cancelled, "nothing was changed.")
        }
    }
}
