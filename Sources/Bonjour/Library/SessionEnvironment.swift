internal import EventLoops

/// The resources that a session works with.
struct SessionEnvironment: Sendable {
    /// The thread that calls the library.
    let loop: SocketLoop

    /// The references that all sessions of the backend share.
    let pool: ReferencePool

    /// The services that the backend has published.
    let publications: Publications

    /// The flag that tells whether the session is still wanted.
    let lifetime = SessionLifetime()
}
