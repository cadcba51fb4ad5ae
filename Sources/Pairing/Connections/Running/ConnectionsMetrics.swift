internal import CoreMetrics

/// The counters of ``Connections``, made once.
struct ConnectionsMetrics: Sendable {
    private let sessions: [SessionState.Kind: Meter] = Dictionary(
        uniqueKeysWithValues: SessionState.Kind.allCases.map {
            ($0, Meter(label: "clawradar_sessions", dimensions: [("state", $0.rawValue)]))
        }
    )
    private let attempts = Counter(label: "clawradar_session_attempts_total")
    private let reconnects = Counter(label: "clawradar_session_reconnects_total")
    private let outage = Timer(label: "clawradar_session_outage_seconds", preferredDisplayUnit: .seconds)

    /// Counts an attempt that begins.
    func noteAttempt() {
        attempts.increment()
    }

    /// Counts a session that is established again.
    ///
    /// - Parameter outage: The time since the one before it was lost.
    func noteReconnect(after outage: Duration) {
        reconnects.increment()
        self.outage.recordSeconds(outage / .seconds(1))
    }

    /// Counts the change of a session's state.
    ///
    /// - Parameters:
    ///   - before: The state that it had; `nil` for a new session.
    ///   - after: The state that it has; `nil` for one that is there no more.
    func noteChange(from before: SessionState?, to after: SessionState?) {
        guard before?.kind != after?.kind else { return }
        if let before { sessions[before.kind]?.decrement() }
        if let after { sessions[after.kind]?.increment() }
    }
}

extension SessionState {
    /// A state without its details.
    fileprivate enum Kind: String, CaseIterable {
        case stopped, held, queued, idle, waiting, connecting, authenticating, connected, moved
        case changedLeaf = "changed_leaf"
        case uncertified, deferred, refused, revoked, failed
    }

    fileprivate var kind: Kind {
        switch self {
        case .stopped: .stopped
        case .held: .held
        case .queued: .queued
        case .idle: .idle
        case .waiting: .waiting
        case .connecting: .connecting
        case .authenticating: .authenticating
        case .connected: .connected
        case .moved: .moved
        case .changedLeaf: .changedLeaf
        case .uncertified: .uncertified
        case .deferred: .deferred
        case .refused: .refused
        case .revoked: .revoked
        case .failed: .failed
        }
    }
}
