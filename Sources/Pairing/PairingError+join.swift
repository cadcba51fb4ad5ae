internal import GatewayClient
internal import GatewayProtocol

extension PairingError {
    /// Creates the error for a setup code that could not be fetched. Whether the code is spent is said only where that is
    /// known.
    init(_ failure: JoinFetch.Failure, behind url: JoinURL) {
        let expected = "expected a setup code from \(url), found"
        switch failure {
        case .notReached(let reason):
            self.init(.notReached, "expected the gateway at \(url), found none: \(reason). Nothing was fetched")
        case .lost:
            self.init(
                .notReached,
                "\(expected) that the answer was lost. It can be fetched only once, and is not fetched again: get a new join "
                    + "URL"
            )
        case .notFound(let status):
            self.init(
                .invalidInvitation,
                "\(expected) none (HTTP \(status)): it is used, has expired, or was never there. Get a new join URL"
            )
        case .redirected(let status):
            self.init(
                .invalidInvitation,
                "\(expected) that it leads to another place (HTTP \(status)), which is not followed. Get the join URL that "
                    + "leads to the gateway itself"
            )
        case .tooOften(let status):
            self.init(
                .notReached,
                "\(expected) that it is asked too often at present (HTTP \(status)). Try again in some minutes, before the "
                    + "code expires"
            )
        case .refused(let status):
            self.init(
                .invalidInvitation,
                "\(expected) that the host refuses the request (HTTP \(status)). Look whether the URL is complete, and leads "
                    + "to the gateway"
            )
        case .serverFailed(let status):
            self.init(
                .notReached,
                "\(expected) an error of the host (HTTP \(status)): the gateway behind it may not run, and whether the code "
                    + "is used is not known. Get a new join URL once it runs"
            )
        case .noContent(let status):
            self.init(.invalidInvitation, "\(expected) an answer without one (HTTP \(status)). Get a new join URL")
        case .notACode(let problem):
            self.init(.invalidInvitation, "expected a setup code from \(url): \(problem)")
        }
    }

    /// The same error for somebody who has come by a join URL. It was fetched, so that a second attempt needs another one.
    package var afterJoinURL: PairingError {
        PairingError(
            code,
            "\(message). The join URL is used up: get a new one",
            refusal: refusal,
            storeError: storeError,
            conflict: conflict
        )
    }
}
