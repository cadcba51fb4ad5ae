internal import CoreMetrics
internal import GatewayProtocol
internal import HostSystem
internal import SystemPackage

/// The sync of the store with the cloud: one at a time over all processes of this user, since each may renew the session, and
/// the token for that works once.
package actor CloudSync {
    /// The most rows of one request.
    private static let (mostRead, mostSent) = (500, 100)

    /// The most wrapped keys that are read: each costs whoever has a passphrase a second to try.
    private static let mostWrapped = 3

    /// The most rows by which it is told which vault key is the right one.
    private static let mostTried = 50

    /// The time before the last reading from which rows are read again: a row becomes visible later than the time that it
    /// says, when its transaction ends.
    private static let overlap = 60_000_000

    private let store: PairingStore
    private let makeServer: @Sendable (CloudProject) -> CloudServer

    /// The longest time to wait for another process.
    private let lockTimeout: Duration

    private var access = CloudAccess()

    /// The account whose access token is in memory.
    private var holder: SealedPlace?

    /// The time by which the clock of this host is ahead of the server's, in milliseconds; `nil` before the first answer.
    private var ahead: Int?

    private let metrics = CloudMetrics()

    package init(
        _ store: PairingStore,
        lockTimeout: Duration = .seconds(30),
        server: @escaping @Sendable (CloudProject) -> CloudServer = { CloudServer($0) }
    ) {
        (self.store, self.lockTimeout, makeServer) = (store, lockTimeout, server)
    }

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

    /// Returns the identifiers of the vault keys that open rows of the user, as far as the first of them tell; `nil` if the
    /// user has no rows, so that no vault key is needed for them.
    package func vaultIDs() async throws(CloudError) -> Set<String>? {
        guard let (server, account, lock) = try await turn() else { return nil }
        defer { lock.release() }
        var limit = Self.mostTried
        let rows = try await page(server, account, after: nil, atMost: &limit)
        return rows.isEmpty ? nil : Set(rows.compactMap { CloudRow($0)?.vaultID })
    }

    /// Returns the vault keys of the user that lie in the cloud, each wrapped by a passphrase, the newest first.
    package func wrappedKeys() async throws(CloudError) -> [String] {
        guard let (server, account, lock) = try await turn() else { return [] }
        defer { lock.release() }
        let most = Self.mostWrapped
        let rows = try await asked(server, account) { token throws(CloudError) in
            try await server.wrappedKeys(of: account.user, atMost: most, token: token)
        }
        return rows.compactMap { CloudRow($0)?.wrappedKey }.prefix(most).map(\.self)
    }

    /// Puts a vault key into the cloud, wrapped by a passphrase, in place of what was there of it.
    package func send(_ wrapped: String, of vault: VaultKey) async throws(CloudError) {
        guard let (server, account, lock) = try await turn() else { return }
        defer { lock.release() }
        let owner = try await owner(account)
        let time = (WallClock.milliseconds - (ahead ?? 0)) * 1_000
        _ = try await send([.wrappedKey(wrapped, id: vault.id, of: owner, at: time)], server, account)
    }

    /// Takes the right to make requests.
    ///
    /// - Returns: What they need, read where no other process changes it, and the lock to release; `nil` if nobody is signed in.
    private func turn() async throws(CloudError) -> (CloudServer, CloudAccount, FileLock)? {
        guard try await signedIn() != nil else { return nil }
        let lock = try await lock()
        guard let account = try await signedIn() else {
            lock.release()
            return nil
        }
        if holder != account.place { access.forget() }
        holder = account.place
        access.begin()
        return (makeServer(account.project), account, lock)
    }

    /// The account, if there is a session.
    private func signedIn() async throws(CloudError) -> CloudAccount? {
        try await stored { store throws(StoreError) in
            let account = try store.cloudAccount()
            return account?.isSignedIn == true ? account : nil
        }
    }

    /// Reads what is new, and sends what waits.
    ///
    /// - Parameter reads: Indicates whether to read even if nothing waits.
    /// - Returns: What has come and gone; `nil` if nothing was to be done.
    /// - Throws: ``CloudError``, which is noted in the store, too, but for the end of this task.
    package func run(reads: Bool) async throws(CloudError) -> CloudArrivals? {
        guard let present = try await signedIn() else { return nil }
        if !reads, try await hasNothingToSend(present) { return nil }
        var taken: FileLock?
        // Before that, nobody else begins a session, which would be taken for the one that has ended.
        defer { taken?.release() }
        do throws(CloudError) {
            guard let (server, account, lock) = try await turn() else { return nil }
            taken = lock
            let arrivals = try await sync(server, account, reads: reads)
            if account.failures > 0 || account.trouble != nil {
                try await stored { store throws(StoreError) in try store.noteCloudAttempt(nil) }
            }
            return arrivals
        } catch {
            let reason = error.description
            if error.kind == .ended {
                access.forget()
                try await stored { store throws(StoreError) in
                    try store.endCloudSession(because: "the session has ended: \(reason)")
                }
            } else if !Task.isCancelled {
                try await stored { store throws(StoreError) in try store.noteCloudAttempt(reason) }
            }
            throw error
        }
    }

    /// Indicates whether nothing has changed here. Before the first answer, nobody knows how wrong this clock is.
    private func hasNothingToSend(_ account: CloudAccount) async throws(CloudError) -> Bool {
        guard ahead != nil, let vault = try await stored({ store throws(StoreError) in try store.vaultKey() }) else {
            return false
        }
        return try await note(try await owner(account), vault).isEmpty
    }

    private func owner(_ account: CloudAccount) async throws(CloudError) -> CloudOwner {
        try await stored { store throws(StoreError) in try store.cloudOwner(account) }
    }

    private func sync(
        _ server: CloudServer,
        _ account: CloudAccount,
        reads: Bool
    ) async throws(CloudError) -> CloudArrivals? {
        guard let vault = try await stored({ store throws(StoreError) in try store.vaultKey() }) else {
            throw CloudError(
                "this device has no vault key, which seals and opens the rows: `clawradar cloud sign-in` asks for it"
            )
        }
        let owner = try await owner(account)
        var arrivals = CloudArrivals()
        if reads || ahead == nil { arrivals = try await pull(server, account, owner, vault) }
        let (sent, hasFound) = try await push(server, account, owner, vault)
        arrivals.sent = sent
        if hasFound {
            // Where the cloud had a row already, it may have been a newer one.
            arrivals += try await pull(server, account, owner, vault)
        }
        return arrivals
    }

    /// Notes what has changed here, and how much of it waits.
    private func note(_ owner: CloudOwner, _ vault: VaultKey) async throws(CloudError) -> CloudWork {
        let ahead = ahead ?? 0
        let work = try await stored { store throws(StoreError) in
            try store.noteForCloud(owner, vault, ahead: ahead)
        }
        metrics.waiting.set(work.waiting)
        return work
    }

    // MARK: Reading

    private func pull(
        _ server: CloudServer,
        _ account: CloudAccount,
        _ owner: CloudOwner,
        _ vault: VaultKey
    ) async throws(CloudError) -> CloudArrivals {
        let marker = try await stored { store throws(StoreError) in try store.cloudAccount()?.marker }
        var place = marker.map { CloudServer.Place(updatedAt: $0 - Self.overlap, id: nil) }
        var (limit, count, arrivals) = (Self.mostRead, 0, CloudArrivals())
        while true {
            let json = try await page(server, account, after: place, atMost: &limit)
            count += json.count
            let last = json.last.flatMap { CloudServer.Place($0) }
            // Each page leads on, so that there is an end.
            let isNext = last.map { place.map($0.follows) ?? true } ?? json.isEmpty
            guard json.count <= limit, isNext else {
                throw CloudError("it answers with other rows than it was asked for")
            }
            guard count <= CloudOutbox.mostRows else {
                throw CloudError("it has more than \(CloudOutbox.mostRows) rows, which are no pairings of one person")
            }
            // One that no program of this kind has written is left out.
            let rows = json.compactMap { CloudRow($0) ?? CloudRow($0.withoutSeal) }
            let (ahead, time) = (ahead ?? 0, WallClock.milliseconds)
            arrivals += try await stored { store throws(StoreError) in
                try store.takeFromCloud(rows, owner, vault, marker: last?.updatedAt, at: time, ahead: ahead)
            }
            guard json.count == limit, let last else { return arrivals }
            (limit, place) = (min(limit * 8, Self.mostRead), last)
        }
    }

    /// Reads a page: fewer rows where they are too long together, and without what is sealed in it one that is too long by
    /// itself.
    private func page(
        _ server: CloudServer,
        _ account: CloudAccount,
        after place: CloudServer.Place?,
        atMost limit: inout Int
    ) async throws(CloudError) -> [JSONValue] {
        var isSealed = true
        while true {
            let (most, whole) = (limit, isSealed)
            do throws(CloudError) {
                return try await asked(server, account) { token throws(CloudError) in
                    try await server.rows(of: account.user, after: place, atMost: most, isSealed: whole, token: token)
                }
            } catch  where error.description == CloudServer.tooLong && isSealed {
                isSealed = limit > 1
                limit = max(limit / 8, 1)
            }
        }
    }

    // MARK: Sending

    /// Sends what waits.
    ///
    /// - Returns: The number of rows, and whether the cloud had some of them.
    private func push(
        _ server: CloudServer,
        _ account: CloudAccount,
        _ owner: CloudOwner,
        _ vault: VaultKey
    ) async throws(CloudError) -> (sent: Int, hasFound: Bool) {
        var (work, count, hasFound) = (try await note(owner, vault), 0, false)
        var refusal: CloudError?
        let most = Self.mostSent
        while work.waiting > 0 {
            let rows = try await stored { store throws(StoreError) in
                try store.cloudRowsToSend(owner, vault, atMost: most)
            }
            var sent: [CloudRow] = []
            // One that is refused holds no other up.
            for batch in [rows] + (rows.count > 1 ? rows.map { [$0] } : []) where sent.count < rows.count {
                do throws(CloudError) {
                    hasFound = try await send(batch, server, account) || hasFound
                    sent += batch
                } catch  where error.kind == .refused {
                    refusal = error
                }
            }
            let confirmed = sent
            count += sent.count
            try await stored { store throws(StoreError) in try store.confirmCloudRows(confirmed) }
            let before = work.waiting
            work = try await note(owner, vault)
            guard work.waiting < before, !sent.isEmpty else { break }
        }
        for (gateway, time) in work.connected {
            try await authorized(server, account) { token throws(CloudError) in
                try await server.noteConnected(gateway, of: account.user, at: time, token: token)
            }
            try await stored { store throws(StoreError) in try store.confirmCloudConnection(gateway, at: time) }
        }
        if let refusal, work.waiting > 0 { throw refusal }
        return (count, hasFound)
    }

    private func send(
        _ rows: [CloudRow],
        _ server: CloudServer,
        _ account: CloudAccount
    ) async throws(CloudError) -> Bool {
        let inserted = try await authorized(server, account) { token throws(CloudError) in
            try await server.insert(rows, token: token)
        }
        let found = rows.filter { !inserted.contains($0.key) }
        for row in found {
            try await authorized(server, account) { token throws(CloudError) in
                try await server.replaceOlder(row, token: token)
            }
        }
        return !found.isEmpty
    }

    // MARK: Session

    private func asked(
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
    private func authorized<Value: Sendable>(
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
    private func renew(_ server: CloudServer, _ account: CloudAccount) async throws(CloudError) {
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
    private func lock() async throws(CloudError) -> FileLock {
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
    private func stored<Value: Sendable>(
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

/// The number of the sync, made once.
struct CloudMetrics: Sendable {
    let waiting = Meter(label: "clawradar_cloud_rows_waiting")
}
