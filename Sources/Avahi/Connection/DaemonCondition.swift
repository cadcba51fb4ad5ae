internal import DNSSD

/// The condition of the daemon, as it is reported to sessions.
enum DaemonCondition: Hashable, Sendable {
    /// The connection is being opened; nothing is known yet.
    case starting

    /// The daemon serves. Until it has settled it is claiming its host name: browsing is possible, publishing is not.
    case up(isSettled: Bool)

    /// The daemon cannot be used, for this reason. Every object is gone.
    case unavailable(BackendError)

    /// The status that a browser is given for this condition.
    var status: BackendStatus {
        switch self {
        case .starting: .starting
        case .up: .running
        case .unavailable(let error): .unavailable(error)
        }
    }
}
