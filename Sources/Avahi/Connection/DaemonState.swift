internal import CAvahiClient

/// The state of the daemon, as one bus client sees it.
enum DaemonState: Hashable, Sendable {
    /// It is not there.
    case absent

    /// It is there, and claims its host name. Browsing is possible, publishing is not.
    case unsettled

    /// It is there and serves.
    case running

    /// This client is of no use any longer.
    case failed
}

extension DaemonState {
    init(_ state: ClientState) {
        switch state {
        case .connecting: self = .absent
        case .registering, .collision: self = .unsettled
        case .running: self = .running
        case .failure: self = .failed
        @unknown default: self = .failed
        }
    }
}
