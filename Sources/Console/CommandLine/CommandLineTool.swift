package import ArgumentParser
internal import Discovery
internal import Glibc
internal import HostSystem

/// A command-line program as a whole, from its arguments to its exit status.
package enum CommandLineTool {
    /// The version, by which an agent and those that ask it know each other.
    package static let version = "0.1.0"

    /// The line that `--version` prints: the version, the commit where it is known, and the backends of this build.
    package static var versionLine: String { versionLine(commit: BuildCommit.name) }

    static func versionLine(commit: String?) -> String {
        let backends = Backends.built.map { $0.rawValue }.joined(separator: ", ")
        // Not by interpolation, since it is made at each start.
        return version + " (" + (commit.map { "commit " + $0 + ", " } ?? "") + "backends " + backends + ")"
    }

    /// Prepares the process, and ends it with a message if its limits are too low. Call it first, before anything that
    /// needs a thread.
    package static func prepare() {
        // Before the memory contains a secret.
        ProcessMemory.hide()
        ProcessMemory.returnLargeBlocks()
        // Before Dispatch has a descriptor: it would be the standard output where that was closed.
        StandardStreams.prepare()
        guard let problem = ProcessLimits.raise() else { return }
        Notes.error(problem)
        exit(ExitCode.unavailable.rawValue)
    }

    /// Parses the arguments, runs the command, and ends the process. ``prepare()`` comes before.
    ///
    /// - Parameters:
    ///   - root: The command, with the verbs of the program.
    ///   - verbs: The same verbs for ``parse(_:_:verbs:)``.
    ///   - adviceOnWords: The advice of the program on words too many, as ``CommandLineArguments`` asks for it.
    package static func run(
        _ root: any ParsableCommand.Type,
        verbs: (any ParsableCommand.Type)? = nil,
        adviceOnWords: @escaping @Sendable ([String]) -> String? = { _ in nil }
    ) async -> Never {
        let arguments = CommandLineArguments(
            Array(CommandLine.arguments.dropFirst()),
            for: root,
            adviceOnWords: adviceOnWords
        )
        do {
            var command = try parse(arguments.prepared, root, verbs: verbs)
            // Only now: what ends without running anything, such as `--version`, needs no thread that waits for signals.
            Signals.prepare()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            root.exit()
        } catch let failure as CommandFailure {
            failure.show()
            root.exit(withError: failure.status)
        } catch let error as any CommandFailing {
            error.commandFailure.show()
            root.exit(withError: error.commandFailure.status)
        } catch let error as OutputError {
            // A reader such as `head` has closed the pipe: that is not an error.
            if error.isClosedByReader { root.exit() }
            Notes.error("\(error)")
            root.exit(withError: ExitCode.outputFailed)
        } catch let status as ExitCode {
            root.exit(withError: status)
        } catch {
            // Help, version and usage errors have their own exit status. Any other error is unexpected.
            switch root.exitCode(for: error) {
            case .usage:
                Notes.write(arguments.problem(error) + "\n")
                root.exit(withError: ExitCode.usage)
            case .failure: break
            default: root.exit(withError: error)
            }
            Notes.error("this should not have happened: \(error). Please report it.")
            root.exit(withError: ExitCode.ourFault)
        }
    }

    /// Parses a command line.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - root: The command, with the verbs of the program.
    ///   - verbs: A command with the same verbs and a `_superCommandName`: of such a one ArgumentParser does not ask first
    ///     whether a completion script is meant, for which it parses the command line twice more. What is no verb, or has a
    ///     fault, is parsed by `root`, whose name is in all messages.
    package static func parse(
        _ arguments: [String],
        _ root: any ParsableCommand.Type,
        verbs: (any ParsableCommand.Type)?
    ) throws -> any ParsableCommand {
        // For `help` and `--help` it returns a command of its own, which is not asynchronous.
        if let verbs, let verb = try? verbs.parseAsRoot(arguments) as? any AsyncParsableCommand { return verb }
        return try root.parseAsRoot(arguments)
    }
}
