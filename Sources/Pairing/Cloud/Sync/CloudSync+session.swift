internal import GatewayProtocol
internal import HostSystem
internal import SystemPackage

/// The session with which the sync asks: begun, renewed, and ended, by one process at a time.
extension CloudSync {
    /// Takes a session that has just begun, and keeps its token in the store. The former one of the same account ends.
    ///
    /// - Throws: ``CloudError`` if another account is signed in, whose session would be left without an end. The new one ends.
    package func begin(_ session: CloudSession, of account: CloudAccount) async throws(CloudError) {
        let lock = try await lock()
        defer { lock.release() }
        if let present = try await signedIn(), present.place != account.place {
            // Whatever comes of it: nobody has the session.
            try? await makeServer(account.project).signOut(session.accessToken)
            throw CloudError(
                "\(present.email) is signed in at \(present.project.url.origin): `clawradar cloud sign-out` ends that first"
            )
        }
        let former = try? await stored { store throws(StoreError) in try store.cloudToken() }
        try await stored { store throws(StoreError) in try store.signIn(account, token: session.refreshToken) }
        holder = account.place
        access.take(session, now: .now)
        // Nobody has it any more. If it cannot be ended now, it ends by itself, as on a device that was lost.
        guard let former else { return }
        let server = makeServer(account.project)
        if let renewed = try? await server.renew(former) { try? await server.signOut(renewed.accessToken) }
    }

    func asked(
        _ server: CloudServer,
        _ account: CloudAccount,
        _ body: (Secret) async throws(CloudError) -> CloudServer.Answer
    ) async throws(CloudError) -> [JSONValue] {
        let answer = try await authorized(server, account, body)
        let difference = answer.date.map { WallClock.milliseconds - $0 } ?? ahead ?? 0
        // Rows would be from a time that no other device believes.
        guard abs(difference) < CloudOutbox.tolerance else {
            throw CloudError(
                "its clock and this one differ by \(abs(difference) / 3_600_000) hours: set the one that is wrong"
            )
        }
        // The date has no fraction, and the answer took its time.
        ahead = abs(difference) < 3_000 ? 0 : difference
        guard let rows = answer.json?.array else { throw CloudError("it answers with no list of rows") }
        return rows
    }

    /// Makes a request with an access token, after renewing that if it must be.
    func authorized<Value: Sendable>(
        _ server: CloudServer,
        _ account: CloudAccount,
        _ body: (Secret) async throws(CloudError) -> Value
    ) async throws(CloudError) -> Value {
        while true {
            switch access.request(now: .now) {
            case .renew: try await renew(server, account)
            case .giveUp:
                throw CloudError("it refuses the token that it has just given: its clock may be wrong", .passing)
            case .send(let token):
                do throws(CloudError) {
                    return try await body(token)
                } catch  where error.kind == .unauthorized {
                    if case .giveUp = access.refuse() { throw CloudError(error.description, .passing) }
                }
            }
        }
    }

    /// Renews the session. The new token is in the store before anything is asked with what came with it.
    func renew(_ server: CloudServer, _ account: CloudAccount) async throws(CloudError) {
        guard let token = try await stored({ store throws(StoreError) in try store.cloudToken() }) else {
            throw CloudError("nobody is signed in any more", .ended)
        }
        let session = try await server.renew(token)
        guard session.user == account.user else {
            throw CloudError("it answers with the session of another user", .ended)
        }
        // To the end, even if the task is cancelled: the former token is spent.
        let isKept: Bool
        do throws(StoreError) {
            isKept = try await store.performToEnd { store throws(StoreError) in
                try store.replaceCloudToken(session.refreshToken, of: account)
            }
        } catch {
            throw CloudError(error.description, .passing)
        }
        guard isKept else { throw CloudError("nobody is signed in any more", .ended) }
        access.take(session, now: .now)
    }

    /// Ends the session here and there. What is here stays; the vault key goes.
    ///
    /// - Returns: The reason why the server could not be told; `nil` if it was.
    package func signOut() async throws(CloudError) -> String? {
        guard let (server, account, lock) = try await turn() else { return nil }
        defer { lock.release() }
        var reason: String?
        do throws(CloudError) {
            try await authorized(server, account) { token throws(CloudError) in try await server.signOut(token) }
        } catch {
            reason = error.kind == .ended ? nil : error.description
        }
        access.forget()
        try await stored { store throws(StoreError) in try store.endCloudSession() }
        return reason
    }

    /// Takes the right to talk to the cloud, among all processes of this user.
    func lock() async throws(CloudError) -> FileLock {
        let deadline = ContinuousClock.now + lockTimeout
        while true {
            do {
                if let lock = try PairingStore.attemptCloudLock(store.location) { return lock }
                guard .now < deadline else { break }
                try await Task.sleep(for: .milliseconds(50))
            } catch {
                throw CloudError("\(error)", .passing)
            }
        }
        throw CloudError("another process talks to the cloud for too long", .passing)
    }

    /// Calls the store, whose errors pass.
    func stored<Value: Sendable>(
        _ body: @escaping @Sendable (PairingStore) throws(StoreError) -> Value
    ) async throws(CloudError) -> Value {
        do throws(StoreError) {
            return try await store.perform(body)
        } catch {
            throw CloudError(error.description, .passing)
        }
    }
}

extension PairingStore {
    static func attemptCloudLock(_ location: StoreLocation) throws -> FileLock? {
        let folder = SessionLock.folder(location)
        try PrivateFolder(path: folder).prepare()
        guard case .acquired(let lock) = try FileLock.attempt(folder.appending("cloud.lock"), note: SessionLock.note)
        else { return nil }
        return lock
    }
}
