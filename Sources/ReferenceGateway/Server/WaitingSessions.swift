internal import Synchronization

/// The connections that are ready to talk on, and on which nobody talks yet.
///
/// NIO wants every channel that it has handed out to be brought to its end. What comes while the server ends would be
/// left over otherwise: nobody takes it any more.
final class WaitingSessions: Sendable {
    /// By number of the connection; `nil` once the server has ended.
    private let sessions = Mutex<[Int: GatewaySession]?>([:])

    /// Keeps a session until it is taken.
    ///
    /// - Returns: `nil`, without having called the closure, once the server has ended.
    func add(_ make: () throws -> GatewaySession) rethrows -> GatewaySession? {
        try sessions.withLock { sessions in
            guard sessions != nil else { return nil }
            let session = try make()
            sessions?[session.peer.connection] = session
            return session
        }
    }

    /// Notes that somebody talks on a session from now on, and ends it.
    func take(_ session: GatewaySession) {
        sessions.withLock { _ = $0?.removeValue(forKey: session.peer.connection) }
    }

    /// Closes what waits, and keeps nothing from now on.
    func end() async {
        let rest = sessions.withLock { sessions in
            defer { sessions = nil }
            return sessions ?? [:]
        }
        for session in rest.values { await session.close() }
    }
}
