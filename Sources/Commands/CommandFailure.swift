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
