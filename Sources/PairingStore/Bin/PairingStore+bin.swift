internal import GRDB

extension PairingStore {
    /// Moves a pairing into the bin, with its bots and credentials. Of one that is there, the reason is written anew.
    ///
    /// - Parameters:
    ///   - id: The pairing.
    ///   - reason: The reason.
    ///   - time: The time, in milliseconds since 1970; that of one in the bin stays.
    public func moveToBin(_ id: PairingID, reason: BinReason, at time: Int) throws(StoreError) {
        try database.write { db in
            guard let row = try PairingRow.fetch(id, db) else { throw StoreError.noPairing(id) }
            try BinRow(reason: reason, time: row.bin?.time ?? time).write(id, db)
        }
        watch.tell()
    }

    /// Moves one credential of a pairing into the bin, and with it the bots that no other opens. With the last one, the
    /// pairing goes there.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - id: The pairing.
    ///   - reason: The reason.
    ///   - time: The time, in milliseconds since 1970.
    public func moveToBin(
        _ credential: CredentialID,
        of id: PairingID,
        reason: BinReason,
        at time: Int
    ) throws(StoreError) {
        try database.write { db in
            guard let parts = try PairingParts.fetch(id, db) else { throw StoreError.noPairing(id) }
            guard let row = parts.credentials.first(where: { $0.credential.id == credential }) else {
                throw StoreError.noCredential(credential)
            }
            try BinRow(reason: reason, time: row.bin?.time ?? time).write(credential, db)
            let isLast = parts.credentials.allSatisfy { $0.credential.id == credential || $0.bin != nil }
            if isLast, parts.row.bin == nil { try BinRow(reason: reason, time: time).write(id, db) }
        }
        watch.tell()
    }

    /// The content of the bin, the oldest first.
    public func bin() throws(StoreError) -> [BinnedPairing] {
        try database.read { try PairingParts.fetchAll($0).flatMap(\.binned) }.sorted { $0.time < $1.time }
    }

    /// Takes a pairing out of the bin, and all its credentials that are there.
    ///
    /// A credential that the gateway has revoked meanwhile does not open it any more.
    ///
    /// - Throws: ``StoreError/Code/notFound`` when nothing of it is in the bin.
    public func restore(_ id: PairingID) throws(StoreError) {
        try database.write { db in
            guard let parts = try PairingParts.fetch(id, db), !parts.binned.isEmpty else {
                throw StoreError(.notFound, expected: "a pairing in the bin", found: "none with the identifier \(id)")
            }
            let nothing = "binnedAt = NULL, binReason = NULL, binDetail = NULL"
            try db.execute(sql: "UPDATE pairing SET \(nothing) WHERE id = ?", arguments: [id.description])
            try db.execute(sql: "UPDATE credential SET \(nothing) WHERE pairing = ?", arguments: [id.description])
        }
        watch.tell()
    }

    /// Deletes what has been in the bin since before a time: call it now and then, with the time
    /// ``BinnedPairing/retention`` ago.
    ///
    /// - Parameter time: The time, in milliseconds since 1970.
    public func purgeBin(before time: Int) throws(StoreError) {
        let hasChanged = try database.write { db in
            try db.execute(sql: "DELETE FROM pairing WHERE binnedAt < ?", arguments: [time])
            var count = db.changesCount
            for parts in try PairingParts.fetchAll(db) where parts.row.bin == nil {
                let old = parts.credentials.filter { ($0.bin?.time ?? time) < time }
                guard !old.isEmpty else { continue }
                let kept = parts.credentials.filter { ($0.bin?.time ?? time) >= time }.map(\.credential.bots)
                // Bots that nothing opens any more go with what opened them.
                let gone = kept.contains([]) ? [] : Set(old.flatMap(\.credential.bots)).subtracting(kept.joined())
                try BotRow.replace(parts.bots.filter { !gone.contains($0.id) }, of: parts.row.pairing.id, db)
                for credential in old {
                    let id = credential.credential.id.description
                    try db.execute(sql: "DELETE FROM credential WHERE id = ?", arguments: [id])
                }
                count += old.count
            }
            return count > 0
        }
        if hasChanged { watch.tell() }
    }
}

extension BinRow {
    fileprivate func write(_ id: PairingID, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE pairing SET binnedAt = ?, binReason = ?, binDetail = ? WHERE id = ?",
            arguments: arguments + [id.description]
        )
    }

    fileprivate func write(_ id: CredentialID, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE credential SET binnedAt = ?, binReason = ?, binDetail = ? WHERE id = ?",
            arguments: arguments + [id.description]
        )
    }
}
