internal import ArgumentParser
internal import EventLoops
internal import Glibc

/// The command-line tool as a whole, from its arguments to its exit status.
package enum CommandLineTool {
    /// The version that `--version` prints.
    static let version = "0.1.0"

    /// Prepares the process, and ends it with a message if its limits are too low. Call it first, before anything that
    /// needs a thread.
    package static func prepare() {
        // Before the memory contains a secret.
        ProcessMemory.hide()
        ProcessMemory.returnLargeBlocks()
        guard let problem = ProcessLimits.raise() else { return }
        Notes.error(problem)
        exit(ExitCode.unavailable.rawValue)
    }

    /// Parses the arguments, runs the command, and ends the process. ``prepare()`` comes before.
    package static func run() async -> Never {
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
            // Finding nothing is a result and not an error, and neither is a cancellation by the user.
            if [.nothingFound, .cancelled].contains(failure.status) {
                Notes.note(failure.message)
            } else {
                Notes.error(failure.message)
            }
            RootCommand.exit(withError: failure.status)
        } catch let error as OutputError {
            // A reader such as `head` has closed the pipe: that is not an error.
            if error.isClosedByReader { RootCommand.exit() }
            Notes.error("\(error)")
            RootCommand.exit(withError: ExitCode.outputFailed)
        } catch let status as ExitCode {
            RootCommand.exit(withError: status)
        } catch {
            // Help, version and usage errors have their own exit status. Any other error is unexpected.
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
