internal import SocketLoops

/// What a session works with.
struct SessionEnvironment: Sendable {
    /// The thread that calls the library.
    let loop: SocketLoop

    /// The references that all sessions of the backend share.
    let pool: ReferencePool

    /// What the backend has published.
    let publications: Publications

    /// Whether the session is still wanted.
    let lifetime = SessionLifetime()
}
