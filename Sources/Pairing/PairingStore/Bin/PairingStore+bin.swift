internal import GRDB

extension PairingStore {
    /// Moves a pairing into the bin, with its bots and credentials. If it is there already, its reason is replaced.
    ///
    /// - Parameters:
    ///   - id: The pairing.
    ///   - reason: The reason.
    ///   - time: The time, in milliseconds since 1970; ignored if the pairing is in the bin already.
    package func moveToBin(_ id: PairingID, reason: BinReason, at time: Int) throws(StoreError) {
        try database.write { try Self.moveToBin(id, reason: reason, at: time, $0) }
        watch.notifyReaders()
    }

    static func moveToBin(_ id: PairingID, reason: BinReason, at time: Int, _ db: Database) throws {
        guard let row = try PairingRow.fetch(id, db) else { throw StoreError.noPairing(id) }
        try BinRow(reason: reason, time: time, after: row.bin).write(id, db)
    }

    /// Moves one credential of a pairing into the bin, and with it the bots that no other credential opens. If it is
    /// the last one, the pairing is moved there, too.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - id: The pairing.
    ///   - generation: The generation of the secret that the reason is about, such as a gateway's refusal; `nil` for
    ///     any.
    ///   - reason: The reason.
    ///   - time: The time, in milliseconds since 1970.
    /// - Throws: `notFound`; `outdated` when the secret has another generation.
    package func moveToBin(
        _ credential: CredentialID,
        of id: PairingID,
        ifGeneration generation: Int? = nil,
        reason: BinReason,
        at time: Int
    ) throws(StoreError) {
        try database.write { db in
            try Self.moveToBin(credential, of: id, ifGeneration: generation, reason: reason, at: time, db)
        }
        watch.notifyReaders()
    }

    /// Moves several credentials of a pairing into the bin in one step: all of them, or none.
    ///
    /// - Parameters:
    ///   - credentials: The credentials.
    ///   - id: The pairing.
    ///   - reason: The reason.
    ///   - time: The time, in milliseconds since 1970.
    package func moveToBin(
        _ credentials: [CredentialID],
        of id: PairingID,
        reason: BinReason,
        at time: Int
    ) throws(StoreError) {
        try database.write { db in
            for credential in credentials {
                try Self.moveToBin(credential, of: id, ifGeneration: nil, reason: reason, at: time, db)
            }
        }
        watch.notifyReaders()
    }

    private static func moveToBin(
        _ credential: CredentialID,
        of id: PairingID,
        ifGeneration generation: Int?,
        reason: BinReason,
        at time: Int,
        _ db: Database
    ) throws {
        guard let parts = try PairingParts.fetch(id, db) else { throw StoreError.noPairing(id) }
        guard let row = parts.credentials.first(where: { $0.credential.id == credential }) else {
            throw StoreError.noCredential(credential)
        }
        try row.check(generation)
        try BinRow(reason: reason, time: time, after: row.bin).write(credential, db)
        let isLast = parts.credentials.allSatisfy { $0.credential.id == credential || $0.bin != nil }
        if isLast, parts.row.bin == nil { try BinRow(reason: reason, time: time).write(id, db) }
    }

    /// Returns the content of the bin, the oldest first, under the names that the user has given to its gateways.
    package func bin() throws(StoreError) -> [BinnedPairing] {
        try database.read { db in
            let aliases = try AliasRow.fetchAll(db)
            return try PairingParts.fetchBinned(db).flatMap(\.binned).map { item in
                guard let named = aliases.naming([item.pairing]).first else { return item }
                return BinnedPairing(pairing: named, reason: item.reason, time: item.time, isWhole: item.isWhole)
            }
        }
        .sorted { $0.time < $1.time }
    }

    /// Takes a pairing out of the bin, and all its credentials that are there.
    ///
    /// Everything that is still in the bin can be restored, however long it has been there. A credential that the
    /// gateway has revoked meanwhile stays invalid.
    ///
    /// - Throws: `notFound` when nothing of it is in the bin.
    package func restore(_ id: PairingID) throws(StoreError) {
        try database.write { db in
            guard let parts = try PairingParts.fetch(id, db), !parts.binned.isEmpty else {
                throw StoreError(.notFound, expected: "a pairing in the bin", found: "none with the identifier \(id)")
            }
            let nothing = "binnedAt = NULL, binReason = NULL, binDetail = NULL, overdueSince = NULL"
            try db.execute(sql: "UPDATE pairing SET \(nothing) WHERE id = ?", arguments: [id.description])
            try db.execute(sql: "UPDATE credential SET \(nothing) WHERE pairing = ?", arguments: [id.description])
        }
        watch.notifyReaders()
    }

    /// Returns the pairing that has taken the place of one in the bin whose gateway opens nothing to its tokens any more;
    /// `nil` if there is none, so that it can be restored.
    package func successor(of item: BinnedPairing) throws(StoreError) -> StoredPairing? {
        guard item.reason.endsTokens else { return nil }
        let former = item.pairing
        return try pairings().first {
            $0.id != former.id && $0.gatewayID == former.gatewayID && $0.trust == former.trust
        }
    }

    /// Deletes everything that has been in the bin since before a time: call it now and then, with the time
    /// ``BinnedPairing/retention`` ago.
    ///
    /// The first call that finds something overdue only records that; a call at least ``BinnedPairing/purgeInterval`` later
    /// deletes it. So a clock that is wrong for a moment deletes nothing, and something that was binned while the clock
    /// was far behind stays for at least a day.
    ///
    /// - Parameter time: The time, in milliseconds since 1970.
    package func purgeBin(before time: Int) throws(StoreError) {
        let hasChanged = try database.write { db in
            var count = 0
            for parts in try PairingParts.fetchBinned(db) {
                count += parts.row.bin == nil ? try parts.purgeCredentials(time, db) : try parts.purgeWhole(time, db)
            }
            return count > 0
        }
        if hasChanged { watch.notifyReaders() }
    }
}

extension PairingParts {
    /// Deletes a pairing in the bin, if its time is up.
    ///
    /// - Returns: The number of pairings that were deleted.
    fileprivate func purgeWhole(_ time: Int, _ db: Database) throws -> Int {
        guard let bin = row.bin else { return 0 }
        guard let purged = bin.purged(before: time) else {
            try db.execute(sql: "DELETE FROM pairing WHERE id = ?", arguments: [row.pairing.id.description])
            return 1
        }
        if purged != bin { try purged.write(row.pairing.id, db) }
        return 0
    }

    /// Deletes the credentials of a live pairing that are in the bin and whose time is up, and the bots that no
    /// credential opens any more.
    ///
    /// - Returns: The number of credentials that were deleted.
    fileprivate func purgeCredentials(_ time: Int, _ db: Database) throws -> Int {
        var old: [StoredCredential] = []
        var kept: [StoredCredential] = []
        for found in credentials {
            if let bin = found.bin {
                guard let purged = bin.purged(before: time) else {
                    old.append(found.credential)
                    continue
                }
                if purged != bin { try purged.write(found.credential.id, db) }
            }
            kept.append(found.credential)
        }
        guard !old.isEmpty else { return 0 }
        let opened = kept.map(\.bots)
        let gone = opened.contains([]) ? [] : Set(old.flatMap(\.bots)).subtracting(opened.joined())
        try BotRow.replace(bots.filter { !gone.contains($0.id) }, of: row.pairing.id, db)
        for credential in old {
            try db.execute(sql: "DELETE FROM credential WHERE id = ?", arguments: [credential.id.description])
        }
        return old.count
    }
}

extension BinRow {
    func write(_ id: PairingID, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE pairing SET binnedAt = ?, binReason = ?, binDetail = ?, overdueSince = ? WHERE id = ?",
            arguments: arguments + [id.description]
        )
    }

    func write(_ id: CredentialID, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE credential SET binnedAt = ?, binReason = ?, binDetail = ?, overdueSince = ? WHERE id = ?",
            arguments: arguments + [id.description]
        )
    }
}
