internal import Synchronization

/// The connections that have been set up and whose sessions do not run yet.
///
/// NIO demands that every channel that it has handed out is finished. Connections that come while the server ends would
/// otherwise be left over, since their sessions never run.
final class WaitingSessions: Sendable {
    /// The sessions, by the number of their connection; `nil` once the server has ended.
    private let sessions = Mutex<[Int: PeerConnection]?>([:])

    /// Holds a session until it is taken.
    ///
    /// - Returns: `nil`, without having called the closure, once the server has ended.
    func add(_ make: () throws -> PeerConnection) rethrows -> PeerConnection? {
        try sessions.withLock { sessions in
            guard sessions != nil else { return nil }
            let session = try make()
            sessions?[session.peer.connection] = session
            return session
        }
    }

    /// Removes a session, since the caller runs it from now on, and ends it.
    func take(_ session: PeerConnection) {
        sessions.withLock { _ = $0?.removeValue(forKey: session.peer.connection) }
    }

    /// Closes the waiting sessions, and holds none from now on.
    func end() async {
        let rest = sessions.withLock { sessions in
            defer { sessions = nil }
            return sessions ?? [:]
        }
        for session in rest.values { await session.close() }
    }
}
