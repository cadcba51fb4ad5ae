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

    /// The time before the last reading from which rows are read again: a row becomes visible later than the time that it
    /// says, when its transaction ends.
    private static let overlap = 60_000_000

    /// The longest time to wait for another process.
    private static let lockTimeout = Duration.seconds(30)

    private let store: PairingStore
    private let makeServer: @Sendable (CloudProject) -> CloudServer
    private var access = CloudAccess()

    /// The account whose access token is in memory.
    private var holder: SealedPlace?

    /// The time by which the clock of this host is ahead of the server's, in milliseconds; `nil` before the first answer.
    private var ahead: Int?

    private let metrics = CloudMetrics()

    package init(
        _ store: PairingStore,
        server: @escaping @Sendable (CloudProject) -> CloudServer = { CloudServer($0) }
    ) {
        (self.store, makeServer) = (store, server)
    }

    /// Takes a session that has just begun, and whose token is in the store.
    package func begin(_ session: CloudSession, of account: CloudAccount) {
        holder = account.place
        access.take(session, now: .now)
    }

    /// Indicates whether the user has rows in the cloud, so that there is a vault key for them somewhere.
    package func hasRows() async throws(CloudError) -> Bool {
        guard let (server, account, lock) = try await turn() else { return false }
        defer { lock.release() }
        let rows = try await asked(server, account) { token throws(CloudError) in
            try await server.rows(of: account.user, after: nil, atMost: 1, token: token)
        }
        return !rows.isEmpty
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
        let owner = CloudOwner(
            user: account.user,
            device: try await stored { store throws(StoreError) in try store.device.cloudID() },
            sealsNames: account.sealsNames
        )
        let time = (WallClock.milliseconds - (ahead ?? 0)) * 1_000
        _ = try await send([.wrappedKey(wrapped, id: vault.id, of: owner, at: time)], server, account)
    }

    /// Takes the right to make requests beside those of the sync.
    ///
    /// - Returns: What they need, and the lock to release; `nil` if nobody is signed in.
    private func turn() async throws(CloudError) -> (CloudServer, CloudAccount, FileLock)? {
        guard let account = try await stored({ store throws(StoreError) in try store.cloudAccount() }),
            account.isSignedIn
        else { return nil }
        let lock = try await lock()
        access.begin()
        return (makeServer(account.project), account, lock)
    }

    /// Reads what is new, and sends what waits.
    ///
    /// - Parameter reads: Indicates whether to read even if nothing waits.
    /// - Returns: What has come and gone; `nil` if nothing was to be done.
    /// - Throws: ``CloudError``, which is noted in the store, too.
    package func run(reads: Bool) async throws(CloudError) -> CloudArrivals? {
        guard let account = try await stored({ store throws(StoreError) in try store.cloudAccount() }),
            account.isSignedIn
        else { return nil }
        do throws(CloudError) {
            let arrivals = try await sync(account, reads: reads)
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
            } else {
                try await stored { store throws(StoreError) in try store.noteCloudAttempt(reason) }
            }
            throw error
        }
    }

    private func sync(_ account: CloudAccount, reads: Bool) async throws(CloudError) -> CloudArrivals? {
        guard let vault = try await stored({ store throws(StoreError) in try store.vaultKey() }) else {
            throw CloudError(
                "this device has no vault key, which seals and opens the rows: `clawradar cloud sign-in` asks for it"
            )
        }
        let owner = CloudOwner(
            user: account.user,
            device: try await stored { store throws(StoreError) in try store.device.cloudID() },
            sealsNames: account.sealsNames
        )
        // Before the first answer, nobody knows how wrong this clock is.
        let isTimed = ahead != nil
        if isTimed, !reads, try await note(owner, vault) == 0 { return nil }
        let lock = try await lock()
        defer { lock.release() }
        if holder != account.place { access.forget() }
        holder = account.place
        access.begin()
        let server = makeServer(account.project)
        var arrivals = CloudArrivals()
        if reads || !isTimed { arrivals = try await pull(server, account, owner, vault) }
        let (sent, hasFound) = try await push(server, account, owner, vault)
        arrivals.sent = sent
        if hasFound {
            // Where the cloud had a row already, it may have been a newer one.
            arrivals += try await pull(server, account, owner, vault)
        }
        return arrivals
    }

    /// Notes what has changed here, and how much of it waits.
    private func note(_ owner: CloudOwner, _ vault: VaultKey) async throws(CloudError) -> Int {
        let ahead = ahead ?? 0
        let count = try await stored { store throws(StoreError) in
            try store.noteForCloud(owner, vault, ahead: ahead)
        }
        metrics.waiting.set(count)
        return count
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
        var (limit, arrivals) = (Self.mostRead, CloudArrivals())
        while true {
            let (from, most) = (place, limit)
            let json: [JSONValue]
            do throws(CloudError) {
                json = try await asked(server, account) { token throws(CloudError) in
                    try await server.rows(of: owner.user, after: from, atMost: most, token: token)
                }
            } catch  where error.description == CloudServer.tooLong {
                guard limit == 1 else {
                    limit = max(limit / 8, 1)
                    continue
                }
                // One that is too long by itself is told of without what is sealed in it.
                json = try await asked(server, account) { token throws(CloudError) in
                    try await server.rows(of: owner.user, after: from, atMost: 1, isSealed: false, token: token)
                }
            }
            let last = json.last.flatMap { CloudServer.Place($0) }
            guard json.count <= most, json.isEmpty || last.map({ $0.updatedAt >= place?.updatedAt ?? .min }) == true
            else { throw CloudError("it answers with other rows than it was asked for") }
            // One that no program of this kind has written is left out.
            let rows = json.compactMap { CloudRow($0) ?? CloudRow($0.withoutSeal) }
            let (ahead, time) = (ahead ?? 0, WallClock.milliseconds)
            arrivals += try await stored { store throws(StoreError) in
                try store.takeFromCloud(rows, owner, vault, marker: last?.updatedAt, at: time, ahead: ahead)
            }
            guard json.count == most, let last else { return arrivals }
            (limit, place) = (min(limit * 8, Self.mostRead), last)
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
        var (left, count, hasFound) = (try await note(owner, vault), 0, false)
        var refusal: CloudError?
        let most = Self.mostSent
        while left > 0 {
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
            let now = try await note(owner, vault)
            guard now < left, !sent.isEmpty else { break }
            left = now
        }
        if let refusal, left > 0 { throw refusal }
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
        // The date has no fraction, and the answer took its time.
        if let date = answer.date {
            let difference = WallClock.milliseconds - date
            ahead = abs(difference) < 3_000 ? 0 : difference
        }
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
        try await stored { store throws(StoreError) in
            try store.endCloudSession()
            try store.keepVaultKey(nil)
        }
        return reason
    }

    /// Takes the right to talk to the cloud, among all processes of this user.
    private func lock() async throws(CloudError) -> FileLock {
        let deadline = ContinuousClock.now + Self.lockTimeout
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
    fileprivate static func attemptCloudLock(_ location: StoreLocation) throws -> FileLock? {
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
