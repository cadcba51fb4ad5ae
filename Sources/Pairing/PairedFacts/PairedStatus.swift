internal import DNSSD
package import GatewayProtocol
package import Scanning

/// The state of a paired gateway at one moment: what the process that has its session says, and what the map shows.
package struct PairedStatus: Hashable, Sendable {
    /// The pairing.
    package let pairing: StoredPairing

    /// The state.
    package let state: PairedState

    /// The time since which it is in this state, in milliseconds since 1970; of one that is away, the time at which it
    /// was connected last. `nil` if that is not known.
    package let since: Int?

    /// The address and port of the session, else the one at which it answers.
    package let path: String?

    /// The reason for the state, for people.
    package let reason: String?

    /// The refusal by the gateway, if that is the reason.
    package let refusal: NotedRefusal?

    /// The process that has the session; `nil` if none has.
    package let holder: LockHolder?

    /// The readiness that it reports; `nil` while that is not known.
    package let readiness: Readiness?

    /// Judges a pairing.
    ///
    /// - Parameters:
    ///   - pairing: The pairing.
    ///   - row: The row of its gateway, if the map shows one.
    ///   - sessions: The sessions that processes have with it.
    package init(_ pairing: StoredPairing, row: Gateway?, sessions: [HeldSession]) {
        self.pairing = pairing
        self.readiness = row?.readiness
        guard !pairing.awaitsTrust else {
            (state, since, path, reason, refusal, holder) = (.awaitsTrust, nil, pairing.remoteURL, nil, nil, nil)
            return
        }
        // Nobody has a session with what has no token here.
        if let obstacle = pairing.obstacle, pairing.deviceMovedAt != nil || sessions.isEmpty {
            (state, since, path, reason, refusal) = (.failed, pairing.deviceMovedAt, nil, obstacle, nil)
            holder = nil
            return
        }
        let told = sessions.compactMap { session in
            session.note.flatMap { note in PairedState(rawValue: note.state).map { (session, note, $0) } }
        }
        let seen = PairedState(row)
        let place = row?.paths.first { $0.counts && $0.liveness?.isAlive == true }?.endpoint.description
        // A session that only waits for its gateway knows no more than the map: which may have just found it.
        if let (session, note, state) = told.min(by: { $0.2.rank < $1.2.rank }), state != .gone || seen == .gone {
            self.state = state
            self.holder = session.holder
            self.since = state == .gone ? pairing.lastConnected ?? note.since : note.since
            self.path = note.path ?? place
            self.reason = note.reason
            self.refusal = note.refusal
        } else {
            self.state = seen
            self.holder = sessions.first?.holder
            self.since = seen == .gone ? pairing.lastConnected : nil
            self.path = place
            let change = seen == .moved ? row.flatMap(pairing.changeOfTransport) : nil
            self.reason = change.map { "\($0): nothing is sent to it" }
            self.refusal = nil
        }
    }

    /// Indicates whether it is to be paired with anew, since it has TLS by now: nothing else is accepted of it.
    package var isToBePairedAnew: Bool {
        state == .moved && pairing.trust.isPlain && reason?.hasPrefix("\(MoveReason.hasTLS)") == true
    }

    /// The state of a pairing that its gateway has revoked.
    package init(revoked item: BinnedPairing, reason: String) {
        self.pairing = item.pairing
        self.state = .revoked
        self.since = item.time
        self.path = nil
        self.reason = reason
        self.refusal = nil
        self.holder = nil
        self.readiness = nil
    }
}

extension PairedState {
    /// The order in which the sessions of one pairing count: one that is connected shows where the gateway is.
    fileprivate var rank: Int {
        switch self {
        case .connected: 0
        case .changedLeaf, .moved, .uncertified: 1
        case .connecting: 2
        case .refused, .revoked, .failed, .awaitsTrust: 3
        case .waiting: 4
        case .paired, .gone: 5
        }
    }
}
