internal import GRDB
package import GatewayProtocol

extension PairingStore {
    /// Returns the live pairings, by time of pairing, under the names that the user has given to their gateways. This works
    /// even while the secrets are sealed.
    public func pairings() throws(StoreError) -> [StoredPairing] {
        try database.read { db in
            try Self.shown(try PairingParts.fetchAll(db).compactMap(\.live), db)
        }
    }

    /// Returns the pairings that this version cannot decode, in the bin or not. All other functions leave them out.
    package func unreadablePairings() throws(StoreError) -> [UnreadablePairing] {
        try database.read { try PairingParts.fetchUnreadable($0) }
            .map { UnreadablePairing(path: location.database, pairing: $0.pairing, column: $0.column) }
    }

    /// Returns a live pairing; `nil` when there is none with that identifier, or when it is in the bin.
    public func pairing(_ id: PairingID) throws(StoreError) -> StoredPairing? {
        try database.read { db in
            guard let live = try PairingParts.fetch(id, db)?.live else { return nil }
            return try Self.shown([live], db).first
        }
    }

    /// Returns pairings as the device stands with them: under the names that the user has given, and held where the device was
    /// moved.
    private static func shown(_ pairings: [StoredPairing], _ db: Database) throws -> [StoredPairing] {
        let named = try AliasRow.fetchAll(db).naming(pairings)
        guard let time = try DeviceRow.movedAt(db) else { return named }
        return named.map { pairing in
            var held = pairing
            held.deviceMovedAt = time
            return held
        }
    }

    /// Returns a live pairing under the name that is stored with it.
    private func unnamed(_ id: PairingID) throws(StoreError) -> StoredPairing? {
        try database.read { try PairingParts.fetch(id, $0)?.live }
    }

    /// Adds a pairing with its secrets.
    ///
    /// - Parameters:
    ///   - pairing: The pairing, within ``StoreLimits``.
    ///   - secrets: The secret of each of its credentials.
    /// - Throws: `exists`, `invalid`, or ``keyProblem``.
    package func insert(_ pairing: StoredPairing, secrets: [CredentialID: Secret]) throws(StoreError) {
        try insert(pairing, secrets: secrets, in: nil)
    }

    /// Writes down what a gateway has granted and this device does not keep: a pairing in the bin of which the gateway
    /// has still to be told. It is written before the gateway is told, so that a crash or an outage in between loses
    /// nothing.
    ///
    /// - Parameters:
    ///   - pairing: The pairing, within ``StoreLimits``.
    ///   - secrets: The secret of each of its credentials.
    ///   - time: The time, in milliseconds since 1970.
    /// - Throws: `exists`, `invalid`, or ``keyProblem``.
    package func insertForWithdrawal(
        _ pairing: StoredPairing,
        secrets: [CredentialID: Secret],
        at time: Int
    ) throws(StoreError) {
        try insert(pairing, secrets: secrets, in: BinRow(reason: .unpaired(withdrawnThere: false), time: time))
    }

    private func insert(
        _ pairing: StoredPairing,
        secrets: [CredentialID: Secret],
        in bin: BinRow?
    ) throws(StoreError) {
        guard Set(pairing.credentials.map(\.id)) == Set(secrets.keys) else {
            throw StoreError(.invalid, expected: "one secret for each credential", found: "\(secrets.count)")
        }
        let key = try key()
        try database.write { db in
            try Self.insert(CarriedPairing(pairing, secrets: secrets), key, db)
            try bin?.write(pairing.id, db)
            try Self.settleBin(db)
        }
        watch.notifyReaders()
    }

    /// Inserts a pairing, within ``StoreLimits``, with the secrets of its credentials.
    static func insert(_ carried: CarriedPairing, _ key: SealingKey, _ db: Database) throws {
        let pairing = try carried.pairing.bounded()
        guard try PairingRow.fetch(pairing.id, db) == nil else {
            throw StoreError(.exists, expected: "a pairing that is new", found: "one with the same identifier")
        }
        guard try PairingRow.count(db) < StoreLimits.pairings else {
            throw StoreError.tooMany("pairings", StoreLimits.pairings + 1, StoreLimits.pairings)
        }
        try PairingRow.write(pairing, db)
        try EndpointRow.replace(pairing.endpoints, of: pairing.id, db)
        try BotRow.replace(pairing.bots, of: pairing.id, db)
        for credential in pairing.credentials {
            guard let secret = carried.secrets[credential.id] else { continue }
            try insert(credential, secret, of: pairing.id, TokenDestination(pairing), key, db)
        }
    }

    /// Adds a credential to a pairing, such as one for more of its bots.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - secret: Its secret.
    ///   - bots: The bots that the credential opens. Those that the pairing has already are updated; its other bots
    ///     stay.
    ///   - id: The pairing.
    package func insert(
        _ credential: StoredCredential,
        secret: Secret,
        bots: [StoredBot],
        into id: PairingID
    ) throws(StoreError) {
        try credential.check()
        let bots = try bots.bounded()
        let key = try key()
        try database.write { db in
            guard let parts = try PairingParts.fetch(id, db), parts.live != nil else { throw StoreError.noPairing(id) }
            guard parts.credentials.count < StoreLimits.credentials else {
                throw StoreError.tooMany("credentials", StoreLimits.credentials + 1, StoreLimits.credentials)
            }
            let updated = Dictionary(bots.map { ($0.id, $0) }) { first, _ in first }
            let known = Set(parts.bots.map(\.id))
            let kept = parts.bots.map { bot in
                var new = updated[bot.id] ?? bot
                // No gateway knows it.
                new.accentColor = new.accentColor ?? bot.accentColor
                return new
            }
            let all = kept + bots.filter { !known.contains($0.id) }
            try BotRow.replace(try all.bounded(), of: id, db)
            try Self.insert(credential, secret, of: id, parts.destination, key, db)
            try Self.settleBin(db)
        }
        watch.notifyReaders()
    }

    /// Changes a live pairing in one step.
    ///
    /// - Parameters:
    ///   - id: The pairing.
    ///   - change: A closure that changes it. It is called again when another process has changed the pairing
    ///     meanwhile, so it must do nothing else. It must neither add nor remove credentials, nor change their
    ///     generations.
    /// - Throws: `notFound`, `invalid`; and ``keyProblem`` when the bots of a
    ///   credential, its device or something of the pairing changes that says where its secrets may go, since they are
    ///   sealed together with it.
    package func update(_ id: PairingID, _ change: (inout StoredPairing) -> Void) throws(StoreError) {
        // Outside of the transaction, since the closure may call this store.
        for _ in 0..<64 {
            guard let before = try unnamed(id) else { throw .noPairing(id) }
            var after = before
            change(&after)
            guard after != before else { return }
            if try replace(before, with: try after.bounded()) {
                watch.notifyReaders()
                return
            }
        }
        throw StoreError(
            .busy,
            path: location.database,
            expected: "a pairing that stays the same for a moment",
            found: "one that others change all the time. Try again"
        )
    }

    /// Writes a changed pairing, unless the stored one is no longer the same as before.
    private func replace(_ before: StoredPairing, with after: StoredPairing) throws(StoreError) -> Bool {
        guard after.id == before.id,
            after.credentials.map(\.id) == before.credentials.map(\.id),
            after.credentials.map(\.generation) == before.credentials.map(\.generation)
        else {
            let expected = "the same identifier, credentials and generations"
            throw StoreError(.invalid, expected: expected, found: "others. They have functions of their own")
        }
        let (place, newPlace) = (TokenDestination(before), TokenDestination(after))
        let bindsAnew =
            newPlace != place
            || zip(before.credentials, after.credentials).contains { $0.bots != $1.bots || $0.deviceID != $1.deviceID }
        let key = bindsAnew ? try key() : nil
        return try database.write { db in
            guard let parts = try PairingParts.fetch(after.id, db), parts.live == before else { return false }
            try PairingRow.write(after, db)
            if after.endpoints != before.endpoints { try EndpointRow.replace(after.endpoints, of: after.id, db) }
            if after.bots != before.bots {
                // Bots that are hidden because their credential is in the bin are kept, and come back with it.
                let kept = Set(after.bots.map(\.id))
                let hidden = parts.bots.filter { parts.hidden.contains($0.id) && !kept.contains($0.id) }
                try BotRow.replace(after.bots + hidden, of: after.id, db)
            }
            let changed = Dictionary(after.credentials.map { ($0.id, $0) }) { first, _ in first }
            for var row in parts.credentials {
                let former = row
                row.credential = changed[row.credential.id] ?? row.credential
                // Also of those in the bin. What does not open was changed by something else: it stays as it is, and the
                // others are sealed.
                if let key, let secret = key.open(former.sealed, in: former.place(place)) {
                    row.sealed = try key.seal(secret, in: row.place(newPlace))
                }
                guard row.credential != former.credential || row.sealed != former.sealed else { continue }
                try row.update(db)
            }
            return true
        }
    }

    static func insert(
        _ credential: StoredCredential,
        _ secret: Secret,
        of pairing: PairingID,
        _ destination: TokenDestination,
        _ key: SealingKey,
        _ db: Database
    ) throws {
        try check(secret)
        guard try !CredentialRow.exists(credential.id, db) else {
            throw StoreError(.exists, expected: "a credential that is new", found: "one with the same identifier")
        }
        let sealed = try key.seal(secret, in: .credential(credential, of: pairing, destination))
        try CredentialRow.insert(credential, of: pairing, sealed: sealed, db)
    }
}
