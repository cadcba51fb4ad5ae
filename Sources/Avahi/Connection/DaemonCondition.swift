internal import DNSSD

/// The condition of the daemon, as sessions are told of it.
enum DaemonCondition: Hashable, Sendable {
    /// On the way; nothing is known yet.
    case starting

    /// It serves. While it is not settled it claims its host name: browsing is possible, publishing is not.
    case up(isSettled: Bool)

    /// It cannot be used, for this reason. Every object is gone.
    case unavailable(BackendError)

    /// The same as what a browser is told.
    var status: BackendStatus {
        switch self {
        case .starting: .starting
        case .up: .running
        case .unavailable(let error): .unavailable(error)
        }
    }
}
