internal import GRDB
internal import GatewayProtocol

/// The store beside the cloud: what of it waits to be sent, and what is taken from rows that were read.
extension PairingStore {
    /// Compares what is here with what was sent, and notes what has changed. It writes only if something has.
    ///
    /// - Parameters:
    ///   - owner: The user and this device.
    ///   - vault: The vault key.
    ///   - ahead: The time by which the clock of this host is ahead of the server's, in milliseconds.
    /// - Returns: What is to be sent.
    @discardableResult
    package func noteForCloud(
        _ owner: CloudOwner,
        _ vault: VaultKey,
        ahead: Int
    ) throws(StoreError) -> CloudWork {
        let (changed, work) = try database.read { try CloudOutbox($0, owner, vault).noted(ahead: ahead) }
        guard !changed.isEmpty else { return work }
        // Others may have changed something in between.
        return try database.write { db in
            let (changed, work) = try CloudOutbox(db, owner, vault).noted(ahead: ahead)
            for row in changed { try row.write(db) }
            return work
        }
    }

    /// Notes that the cloud was told when a gateway was connected last.
    package func confirmCloudConnection(_ gateway: String, at time: Int) throws(StoreError) {
        try database.write { db in
            try db.execute(sql: "UPDATE cloudRow SET connectedAt = ? WHERE gateway = ?", arguments: [time, gateway])
        }
    }

    /// Has all rows read again: those that another vault key opens may be opened now.
    package func rereadCloud() throws(StoreError) {
        try database.write { try $0.execute(sql: "UPDATE cloud SET marker = NULL, pulledAt = NULL") }
        watch.notifyReaders()
    }

    /// Returns what is known of the rows of the cloud, with what has changed here since it was noted. Nothing is written.
    package func cloudEntries(_ owner: CloudOwner, _ vault: VaultKey) throws(StoreError) -> [CloudEntryRow] {
        try database.read { db in
            var outbox = try CloudOutbox(db, owner, vault)
            _ = try outbox.note(ahead: 0)
            return outbox.entries.values.sorted { ($0.gateway, $0.bot) < ($1.gateway, $1.bot) }
        }
    }

    /// The knowledge of the rows of the cloud.
    package func cloudEntries() throws(StoreError) -> [CloudEntryRow] {
        try database.read { try CloudEntryRow.fetchAll($0) }
    }

    /// Returns rows that wait, sealed, at most so many.
    package func cloudRowsToSend(
        _ owner: CloudOwner,
        _ vault: VaultKey,
        atMost limit: Int
    ) throws(StoreError) -> [CloudRow] {
        let key = try key()
        return try database.read { db in
            let outbox = try CloudOutbox(db, owner, vault)
            var rows: [CloudRow] = []
            // What has ended goes last: with it may go the row that was in place of a new one.
            let waiting = outbox.entries.values.filter(\.entry.isWaiting)
            for row in waiting.sorted(by: { $0.entry.isActive && !$1.entry.isActive }) where rows.count < limit {
                guard let version = row.entry.version else { continue }
                if version.isActive {
                    // Unpaired since: that is noted next.
                    guard let part = outbox.parts[row.key(of: owner.user)] else { continue }
                    // A token that was changed by something else holds no other up.
                    guard let secrets = try? Self.secrets(of: part, key, db) else { continue }
                    rows.append(
                        try part.row(
                            version,
                            secrets,
                            connectedAt: row.connectedAt,
                            for: outbox.owner,
                            sealedWith: vault
                        )
                    )
                } else {
                    var gone = CloudRow(
                        key: row.key(of: owner.user),
                        device: version.device,
                        pairedAt: version.pairedAt
                    )
                    gone.isActive = false
                    rows.append(gone)
                }
            }
            return rows
        }
    }

    private static func secrets(
        of part: CloudPart,
        _ key: SealingKey,
        _ db: Database
    ) throws -> [CredentialID: Secret] {
        guard !part.pairing.dialect.bindsTokensToDevice else { return [:] }
        let destination = try TokenDestination.fetch(part.pairing.id, db)
        var secrets: [CredentialID: Secret] = [:]
        for credential in part.pairing.credentials {
            secrets[credential.id] = try open(
                try CredentialRow.fetchLive(credential.id, of: part.pairing.id, db),
                destination,
                key
            )
        }
        return secrets
    }

    /// Notes that rows have arrived as they were sent.
    package func confirmCloudRows(_ rows: [CloudRow]) throws(StoreError) {
        let sent = Dictionary(rows.map { ($0.key, $0) }) { first, _ in first }
        guard let user = rows.first?.key.user else { return }
        try database.write { db in
            for var row in try CloudEntryRow.fetchAll(db) {
                guard row.entry.isWaiting, let sent = sent[row.key(of: user)] else { continue }
                row.entry.confirm(sent.version)
                row.connectedAt = sent.lastConnected.map { $0 / 1_000 }
                try row.write(db)
            }
        }
    }

    /// Takes a page of rows that were read, all of it or nothing.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - marker: The time of the server up to which its rows are read with these.
    ///   - time: The time, in milliseconds since 1970.
    ///   - ahead: The time by which the clock of this host is ahead of the server's, in milliseconds.
    /// - Returns: What has come and gone.
    package func takeFromCloud(
        _ rows: [CloudRow],
        _ owner: CloudOwner,
        _ vault: VaultKey,
        marker: Int?,
        at time: Int,
        ahead: Int
    ) throws(StoreError) -> CloudArrivals {
        let key = try key()
        let (arrivals, hasTaken) = try database.write { db in
            try Self.sealNames(asIn: rows, vault, db)
            var outbox = try CloudOutbox(db, owner, vault)
            var room = CloudOutbox.mostRows - outbox.entries.count
            // What was changed here counts before what comes.
            for row in try outbox.note(ahead: ahead) { try row.write(db) }
            var (arrivals, hasTaken) = (CloudArrivals(), false)
            let gone = Set(rows.lazy.filter { !$0.isActive }.map(\.key))
            let latest = (time - ahead + CloudOutbox.tolerance) * 1_000
            for row in rows where row.key.user == owner.user {
                let reading = row.pairedAt > latest ? .broken : row.opened(with: vault)
                guard reading != .wrappedKey else { continue }
                if outbox.entries[row.key] == nil {
                    guard room > 0 else {
                        arrivals.leftOut += 1
                        continue
                    }
                    room -= 1
                }
                var entry = outbox.entries[row.key] ?? CloudEntryRow(row.key)
                let former = entry
                entry.note = nil
                switch (reading, entry.entry.receive(row.version)) {
                case (_, .rolledBack):
                    // One without a time was written by something else: the cloud gets back what it had, and that is all.
                    entry.note = row.pairedAt == CloudTime.range.lowerBound ? former.note : .rolledBack
                case (_, .known), (_, .outdated):
                    entry.note = former.note
                case (.foreignKey, .newer):
                    entry.note = .foreignKey
                case (.pairing(let part), .newer):
                    entry.name = part.pairing.bots.first?.name ?? part.pairing.name
                    do {
                        // What does not fit into the store holds no other row up.
                        try db.inSavepoint {
                            entry.pairing = try Self.take(part, beside: outbox.parts[row.key], at: time, key, db)
                            return .commit
                        }
                        if part.pairing.isToBePairedHere, outbox.parts[row.key]?.pairing.isToBePairedHere ?? true {
                            entry.note = .known
                        }
                        arrivals.count(entry, isNew: former.entry.digest == nil)
                    } catch is StoreError {
                        (entry.pairing, entry.note) = (former.pairing, .broken)
                    }
                case (.deleted, .newer):
                    if let part = outbox.parts[row.key],
                        !part.pairing.dialect.bindsTokensToDevice || part.pairing.isToBePairedHere
                    {
                        let all = outbox.parts.filter { $0.value.pairing.id == part.pairing.id }
                        let isWhole = all.keys.allSatisfy(gone.contains)
                        // Of a pairing with several bots, once.
                        if try Self.end(part.pairing, whole: isWhole, at: time, key, db) {
                            arrivals.ended.append(part.pairing.name)
                        }
                    }
                case (.broken, .newer), (.wrappedKey, .newer):
                    entry.note = .broken
                }
                switch reading {
                case .pairing, .deleted:
                    if entry.note != .broken, entry.entry.version.map({ $0 < row.version }) ?? true {
                        try outbox.reread(row.key, entry.pairing ?? former.pairing, db, vault)
                        // A pairing that is bound to this device goes on: the cloud is told of it again.
                        var present = reading == .deleted ? nil : outbox.parts[row.key]?.digest
                        // A row in clear has done its part where names are sealed: it ends next.
                        let isInClear = outbox.owner.sealsNames && !row.key.gateway.hasPrefix(VaultKey.blindPrefix)
                        if isInClear, reading != .deleted, entry.pairing != nil { present = .ofClear }
                        entry.entry.take(row.version, having: present)
                        entry.connectedAt = row.lastConnected.map { $0 / 1_000 }
                        hasTaken = true
                        if reading == .deleted { entry.pairing = nil }
                    }
                default:
                    entry.name = entry.name ?? row.botName
                }
                guard entry != former else { continue }
                outbox.entries[row.key] = entry
                try entry.write(db)
            }
            if let marker {
                // One from the future would hide all that comes until then.
                let bounded = min(marker, (time - ahead) * 1_000)
                try db.execute(sql: "UPDATE cloud SET marker = ?, pulledAt = ?", arguments: [bounded, time])
            } else {
                try db.execute(sql: "UPDATE cloud SET pulledAt = ?", arguments: [time])
            }
            return (arrivals, hasTaken)
        }
        // A newer token or another name is a change, too.
        if hasTaken { watch.notifyReaders() }
        return arrivals
    }
}

extension PairingStore {
    /// Has this device seal names where another one of the user does: otherwise these would lie there in clear after all, and
    /// each pairing would have two rows.
    private static func sealNames(asIn rows: [CloudRow], _ vault: VaultKey, _ db: Database) throws {
        let isSealing = rows.contains { row in
            guard case .pairing = row.opened(with: vault) else { return false }
            return row.key.gateway.hasPrefix(VaultKey.blindPrefix)
        }
        if isSealing { try db.execute(sql: "UPDATE cloud SET sealsNames = 1 WHERE NOT sealsNames") }
    }
}
