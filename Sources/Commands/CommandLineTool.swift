internal import ArgumentParser
internal import EventLoops

/// The command-line tool as a whole: from arguments to an exit status.
package enum CommandLineTool {
    /// The version that `--version` prints.
    static let version = "0.1.0"

    /// Reads the arguments, does what they say, and ends the process.
    package static func run() async -> Never {
        // Before there is a secret in it.
        ProcessMemory.hide()
        DescriptorLimit.raise()
        StandardStreams.prepare()
        Signals.prepare()
        let arguments = CommandLineArguments(Array(CommandLine.arguments.dropFirst()))
        do {
            var command = try RootCommand.parseAsRoot(arguments.prepared)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            RootCommand.exit()
        } catch let failure as CommandFailure {
            // To have found nothing is a result, no error; nor is what the user wanted.
            if [.nothingFound, .cancelled].contains(failure.status) {
                Notes.note(failure.message)
            } else {
                Notes.error(failure.message)
            }
            RootCommand.exit(withError: failure.status)
        } catch let error as OutputError {
            // Whoever read our output has seen enough, as with `head`: nothing is wrong.
            if error.isClosedByReader { RootCommand.exit() }
            Notes.error("\(error)")
            RootCommand.exit(withError: ExitCode.outputFailed)
        } catch let status as ExitCode {
            RootCommand.exit(withError: status)
        } catch {
            // Help, version and usage errors know their own status. Any other error is one we did not foresee.
            switch RootCommand.exitCode(for: error) {
            case .usage:
                Notes.write(arguments.problem(error) + "\n")
                RootCommand.exit(withError: ExitCode.usage)
            case .failure: break
            default: RootCommand.exit(withError: error)
            }
            Notes.error("this should not have happened: \(error). Please report it.")
            RootCommand.exit(withError: ExitCode.ourFault)
        }
    }
}
