internal import CAvahiClient

/// The state of the daemon, as one bus client sees it.
enum DaemonState: Hashable, Sendable {
    /// The daemon is not there.
    case absent

    /// The daemon is there, and is claiming its host name. Browsing is possible, publishing is not.
    case unsettled

    /// The daemon is there and serves.
    case running

    /// The client has failed, and can only be freed.
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
