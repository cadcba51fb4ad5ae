internal import Logging
internal import Pairing
internal import Reports
internal import Scanning

/// A session with one paired gateway that is opened to see what the gateway says, and closed at once. Whether it may have
/// the token is decided as for every session.
struct SessionTrial: Sendable {
    let store: PairingStore
    let constellation: Constellation
    let pairing: StoredPairing
    let version: String
    let logger: Logger?

    /// Opens the sessions of the pairing, until each is live or it is known why it is not.
    ///
    /// - Parameter limit: The time that this may take.
    /// - Returns: What was learned of each session.
    func run(within limit: Duration) async -> [HeldSession] {
        let connections = Connections(
            store: store,
            constellation: constellation,
            configuration: ConnectionsConfiguration(clientVersion: version, only: [pairing.id]),
            logger: logger
        )
        return await withTaskGroup(of: [SessionSnapshot]?.self) { group in
            group.addTask {
                try? await connections.run()
                return nil
            }
            group.addTask { await learn(connections) }
            group.addTask {
                try? await Task.sleep(for: limit)
                return await own(connections.sessions)
            }
            var learned: [SessionSnapshot]?
            for await found in group {
                learned = learned ?? found
                if learned != nil { group.cancelAll() }
            }
            let now = ContinuousClock.now
            return (learned ?? []).map { session in
                HeldSession(
                    holder: LockHolder(process: 0, program: "clawradar doctor"),
                    note: session.note(at: Timestamp.now.milliseconds, now: now)
                )
            }
        }
    }

    /// Waits until the state of each session is one that lasts.
    private func learn(_ connections: Connections) async -> [SessionSnapshot]? {
        for await event in connections.events {
            // The pairing goes to the bin with its last credential, and its session is gone then.
            if case .changed(let session) = event, session.pairing == pairing.id, case .revoked = session.detail {
                return [session]
            }
            let sessions = own(await connections.sessions)
            if !sessions.isEmpty, sessions.allSatisfy(\.detail.isTelling) { return sessions }
        }
        return nil
    }

    private func own(_ sessions: [SessionSnapshot]) -> [SessionSnapshot] {
        sessions.filter { $0.pairing == pairing.id }
    }
}
