internal import Connections
internal import GatewayProtocol
internal import GatewayReports
internal import PairingReports
internal import PairingStore

/// A session as it is reported to people and programs.
struct SessionEntry: Hashable, Sendable {
    let pairing: StoredPairing
    let bots: [StoredBot]
    let state: SessionReport.State
    let reason: String?
    let path: String?
    var isElsewhere = false
    let latency: Duration?

    /// Indicates whether the session has changed in a way that is worth reporting, which a new round-trip time is not.
    func isNews(since other: SessionEntry) -> Bool {
        (state, reason, path) != (other.state, other.reason, other.path) || bots.map(\.id) != other.bots.map(\.id)
    }
}

/// The sessions as they were last reported. A value: no clock, no I/O.
struct SessionTableModel: Sendable {
    private(set) var entries: [CredentialID: SessionEntry] = [:]

    /// The sessions, sorted by the names of their gateways.
    var sorted: [SessionEntry] {
        entries.sorted { ($0.value.pairing.name, $0.key) < ($1.value.pairing.name, $1.key) }.map(\.value)
    }

    /// Takes in an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - isSealed: Whether the secrets of the store cannot be opened.
    /// - Returns: The current state of the sessions with a change worth reporting.
    mutating func take(_ event: ConnectionEvent, isSealed: Bool) -> [SessionEntry] {
        switch event {
        case .snapshot(let sessions):
            let present = Set(sessions.map(\.id))
            let removed = entries.keys.filter { !present.contains($0) }.sorted().compactMap { remove($0) }
            return removed + sessions.compactMap { show($0, isSealed) }
        case .changed(let session): return [show(session, isSealed)].compactMap(\.self)
        case .removed(let credential): return [remove(credential)].compactMap(\.self)
        }
    }

    private mutating func show(_ session: SessionSnapshot, _ isSealed: Bool) -> SessionEntry? {
        let before = entries[session.id]
        let entry = SessionEntry(session, isSealed: isSealed)
        entries[session.id] = entry
        return before.map { entry.isNews(since: $0) } == false ? nil : entry
    }

    private mutating func remove(_ credential: CredentialID) -> SessionEntry? {
        guard let before = entries.removeValue(forKey: credential), before.state != .revoked else { return nil }
        return SessionEntry(
            pairing: before.pairing,
            bots: before.bots,
            state: .disconnected,
            reason: "it is not paired any more",
            path: nil,
            latency: nil
        )
    }
}

extension SessionEntry {
    init(_ session: SessionSnapshot, isSealed: Bool) {
        let pairing = session.stored
        let state: SessionReport.State =
            switch session.state {
            case .stopped, .idle, .waiting: .disconnected
            case .held: .heldElsewhere
            case .connecting, .authenticating: .connecting
            case .connected: .connected
            case .moved: .moved
            case .changedLeaf: .changedLeaf
            case .uncertified: .uncertified
            case .deferred, .queued: .waiting
            case .refused: .refused
            case .revoked: .revoked
            case .failed: isSealed ? .sealed : .disconnected
            }
        var reason = session.reason
        if case .stopped = session.state {
            reason =
                pairing.connectsAutomatically
                ? nil : "it is connected to when asked: clawradar connect \(pairing.word)"
        }
        if let command = Self.remedy(state, pairing) {
            reason = "\(reason.map { "\($0). " } ?? "")To accept it: \(command)"
        }
        self.init(
            pairing: pairing,
            bots: session.bots,
            state: state,
            reason: reason,
            path: session.path?.description,
            isElsewhere: session.path?.isElsewhere ?? false,
            latency: session.latency
        )
    }

    /// Returns the command by which the user ends a state in which nothing is sent; `nil` for any other state.
    private static func remedy(_ state: SessionReport.State, _ pairing: StoredPairing) -> String? {
        switch state {
        case .changedLeaf: "clawradar trust \(pairing.shortID) --leaf DIGITS, as its host shows them"
        case .moved where pairing.trust.isPlain: "clawradar trust \(pairing.shortID) --trust address"
        default: nil
        }
    }

    /// Returns the entry as a JSON document.
    func report(at time: Timestamp) -> SessionReport {
        SessionReport(
            state,
            of: pairing,
            bots: bots.map(\.id),
            reason: reason,
            path: path,
            isElsewhere: isElsewhere,
            latency: latency,
            at: time
        )
    }
}
