extension PairingStore {
    /// Takes the lock of a credential's one session, among all processes of this user.
    ///
    /// Take it before the session begins, and keep it while the session lasts.
    ///
    /// - Throws: `locked` with ``StoreError/holder`` when another session has the lock.
    package func lock(_ credential: CredentialID) throws(StoreError) -> SessionLock {
        try SessionLock(credential, in: SessionLock.folder(location))
    }

    /// Returns the sessions that processes of this user have, this one included, by credential: of those that none has,
    /// there is none. It reads files beside the database, and no other process waits for it.
    package func heldSessions(of credentials: [CredentialID]) -> [CredentialID: HeldSession] {
        var found: [CredentialID: HeldSession] = [:]
        for credential in credentials {
            found[credential] = SessionLock.session(of: credential, in: SessionLock.folder(location))
        }
        return found
    }
}
