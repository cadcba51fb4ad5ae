package import ArgumentParser
package import DNSSD

/// The reason why a command failed: one sentence for people, and the exit status.
package struct CommandFailure: Error, Hashable {
    package let status: ExitCode
    package let message: String

    package init(_ status: ExitCode, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Shows it. Finding nothing is a result and not an error, and neither is a cancellation by the user.
    func show() {
        if [.nothingFound, .cancelled].contains(status) { Notes.note(message) } else { Notes.error(message) }
    }

    /// Makes a failure from the error of a backend.
    package init(_ error: BackendError) {
        let status: ExitCode =
            switch error.code {
            case .invalid: .usage
            case .internalFault: .ourFault
            default: .unavailable
            }
        self.init(status, error.message)
    }
}

/// An error that is shown as a failure of a command.
package protocol CommandFailing: Error {
    var commandFailure: CommandFailure { get }
}

extension CommandFailure: CommandFailing {
    package var commandFailure: CommandFailure { self }
}

/// The exit statuses of the tool and their meanings; 64 to 78 are those of sysexits.h.
extension ExitCode {
    /// No gateway answered, or it refused; nothing has the given name; or the time was up.
    package static let nothingFound = ExitCode(1)

    /// The command line, the configuration or a recording is wrong (EX_USAGE).
    package static let usage = ExitCode(64)

    /// The daemon, the network or the store is not available (EX_UNAVAILABLE).
    package static let unavailable = ExitCode(69)

    /// A fault of this program (EX_SOFTWARE).
    package static let ourFault = ExitCode(70)

    /// The results could not be written, for example because the disk is full (EX_IOERR).
    package static let outputFailed = ExitCode(74)

    /// The user cancelled the command or declined: the status that a shell reports after Ctrl-C.
    package static let cancelled = ExitCode(130)
}
