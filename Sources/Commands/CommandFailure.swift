internal import ArgumentParser
internal import DNSSD

/// The reason why a verb could not do its work: one sentence for people, and the exit status.
struct CommandFailure: Error, Hashable {
    let status: ExitCode
    let message: String

    init(_ status: ExitCode, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Turns the error of a failed backend into a message and an exit status.
    init(_ error: BackendError) {
        let status: ExitCode =
            switch error.code {
            case .invalid: .usage
            case .internalFault: .ourFault
            default: .unavailable
            }
        self.init(status, error.message)
    }
}

/// The exit statuses of the tool and their meanings; 64 to 78 are those of sysexits.h.
extension ExitCode {
    /// The look went well and found nothing.
    static let nothingFound = ExitCode(1)

    /// The command line, the configuration or a recording is wrong (EX_USAGE).
    static let usage = ExitCode(64)

    /// There is no daemon, no network or no store (EX_UNAVAILABLE).
    static let unavailable = ExitCode(69)

    /// A fault of this program (EX_SOFTWARE).
    static let ourFault = ExitCode(70)

    /// The results could not be written, as on a full disk (EX_IOERR).
    static let outputFailed = ExitCode(74)

    /// The user had enough, or said no: as a shell counts the end by Ctrl-C.
    static let cancelled = ExitCode(130)
}
