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

    let store: PairingStore
    let makeServer: @Sendable (CloudProject) -> CloudServer

    /// The longest time to wait for another process.
    let lockTimeout: Duration

    var access = CloudAccess()

    /// The account whose access token is in memory.
    var holder: SealedPlace?

    /// The time by which the clock of this host is ahead of the server's, in milliseconds; `nil` before the first answer.
    var ahead: Int?

    private let metrics = CloudMetrics()

    package init(
        _ store: PairingStore,
        lockTimeout: Duration = .seconds(30),
        server: @escaping @Sendable (CloudProject) -> CloudServer = { CloudServer($0) }
    ) {
        (self.store, self.lockTimeout, makeServer) = (store, lockTimeout, server)
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
    func turn() async throws(CloudError) -> (CloudServer, CloudAccount, FileLock)? {
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
    func signedIn() async throws(CloudError) -> CloudAccount? {
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
        // What this device has is sent nevertheless.
        guard arrivals.leftOut == 0 else {
            throw CloudError("it has more than \(CloudOutbox.mostRows) rows, which are no pairings of one person")
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
                arrivals.leftOut += 1
                return arrivals
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
            do throws(CloudError) {
                try await authorized(server, account) { token throws(CloudError) in
                    try await server.noteConnected(gateway, of: account.user, at: time, token: token)
                }
            } catch  where error.kind == .refused {
                // Nothing hangs on it.
                continue
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
}

/// The number of the sync, made once.
struct CloudMetrics: Sendable {
    let waiting = Meter(label: "clawradar_cloud_rows_waiting")
}
