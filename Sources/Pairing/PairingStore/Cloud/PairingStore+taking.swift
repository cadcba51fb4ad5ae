internal import GRDB
internal import GatewayProtocol

/// The steps by which a part of a pairing that another device has sealed becomes one of this device.
extension PairingStore {
    /// Takes a part. The credential that it replaces goes to the bin.
    ///
    /// A part without a token, since that is bound to another device, makes the gateway known here, with its name and places, to
    /// be paired with. What was ended here stays so.
    ///
    /// - Parameter present: What this device has for that row.
    /// - Returns: The pairing here; `nil` if there is none.
    static func take(
        _ part: CarriedPairing,
        beside present: CloudPart?,
        at time: Int,
        _ key: SealingKey,
        _ db: Database
    ) throws -> PairingID? {
        let told = part.pairing
        if told.dialect.bindsTokensToDevice || told.credentials.isEmpty {
            let known = try PairingParts.fetch(told.id, db)
            if let present = present?.pairing ?? known?.live {
                try rename(present, as: told, db)
                return present.id
            }
            guard known == nil, told.isToBePairedHere else { return nil }
            try insert(part, key, db)
            return told.id
        }
        guard let credential = told.credentials.first, let secret = part.secrets[credential.id] else { return nil }
        let holder = try keep(credential, secret, of: part, beside: present, key, db)
        // One token for each bot: by the clock of the device that has received it, another one may seem to be newer.
        if let parts = try PairingParts.fetch(holder, db) {
            _ = try withdraw(told.bots.first?.id, from: parts, except: credential.id, at: time, key, db)
        }
        return holder
    }

    /// Keeps the credential of a part with the pairing that it belongs to here.
    private static func keep(
        _ credential: StoredCredential,
        _ secret: Secret,
        of part: CarriedPairing,
        beside present: CloudPart?,
        _ key: SealingKey,
        _ db: Database
    ) throws -> PairingID {
        let told = part.pairing
        let known = try Row.fetchOne(
            db,
            sql: "SELECT pairing FROM credential WHERE id = ?",
            arguments: [credential.id.description]
        )
        let holder = try known?.read("pairing") { PairingID($0 as String) } ?? present?.pairing.id ?? told.id
        guard let parts = try PairingParts.fetch(holder, db) else {
            try insert(part, key, db)
            return told.id
        }
        try unbin(parts, for: credential.id, db)
        // Those of its bots that are live elsewhere, too, have rows of their own.
        if parts.row.bin != nil { try BotRow.replace(told.bots, of: holder, db) }
        try bind(parts, as: told, key, db)
        if let live = try PairingParts.fetch(holder, db)?.live { try rename(live, as: told, db) }
        let destination = try PairingParts.fetch(holder, db)?.destination ?? TokenDestination(told)
        if let row = parts.credentials.first(where: { $0.credential.id == credential.id }) {
            let (known, bots) = (row.credential, row.credential.bots)
            guard known.generation <= credential.generation else { return holder }
            // Each bot has a row of its own with the same token.
            var new = row
            if known.generation < credential.generation { new.credential = credential }
            if parts.row.bin != nil || row.bin != nil {
                new.credential.bots = credential.bots
            } else {
                new.credential.bots =
                    bots.isEmpty || credential.bots.isEmpty ? [] : bots + credential.bots.filter { !bots.contains($0) }
            }
            guard new.credential != known else { return holder }
            new.sealed = try key.seal(secret, in: new.place(destination))
            new.version = TokenBinding.bound
            try new.update(db)
        } else {
            try insert(credential, secret, of: holder, destination, key, db)
        }
        return holder
    }

    /// Ends a pairing that was unpaired on another device, or its part for one bot: the gateway was told there, or is not to be
    /// told.
    ///
    /// - Returns: `false` if it has ended already.
    static func end(
        _ part: StoredPairing,
        whole: Bool,
        at time: Int,
        _ key: SealingKey,
        _ db: Database
    ) throws -> Bool {
        guard let parts = try PairingParts.fetch(part.id, db), let live = parts.live else { return false }
        guard !whole, let bot = part.bots.first?.id, live.bots.contains(where: { $0.id != bot }) else {
            try BinRow(reason: .forgotten, time: time).write(part.id, db)
            return true
        }
        let isBinned = try withdraw(bot, from: parts, at: time, key, db)
        if !isBinned { try BotRow.replace(parts.bots.filter { $0.id != bot }, of: part.id, db) }
        return true
    }

    /// Lets credentials open a bot no more. What opened nothing else goes to the bin.
    ///
    /// - Returns: `true` if one has gone there.
    private static func withdraw(
        _ bot: BotID?,
        from parts: PairingParts,
        except kept: CredentialID? = nil,
        at time: Int,
        _ key: SealingKey,
        _ db: Database
    ) throws -> Bool {
        var isBinned = false
        for var row in parts.credentials where row.bin == nil && row.credential.id != kept {
            // One for all bots names none.
            let opened = row.credential.bots.isEmpty ? parts.bots.map(\.id) : row.credential.bots
            let rest = opened.filter { $0 != bot }
            guard rest != opened || opened.isEmpty else { continue }
            guard !rest.isEmpty else {
                isBinned = true
                try BinRow(reason: .forgotten, time: time).write(row.credential.id, db)
                continue
            }
            // Its token opens other bots, which go on.
            guard let secret = key.open(row.sealed, in: row.place(parts.destination)) else { continue }
            row.credential.bots = rest
            row.sealed = try key.seal(secret, in: row.place(parts.destination))
            try row.update(db)
        }
        return isBinned
    }

    /// Gives a pairing and its bot the names that the user has given to them elsewhere.
    private static func rename(_ present: StoredPairing, as told: StoredPairing, _ db: Database) throws {
        guard var parts = try PairingParts.fetch(present.id, db)?.row.pairing else { return }
        var aliases = try AliasRow.fetchAll(db)
        if let named = aliases.naming([parts]).first, named.formerName != nil || named.name != parts.name {
            // A name of this device would hide the one that comes.
            if let index = aliases.firstIndex(where: { $0.name == named.name }),
                !aliases.contains(where: { $0.name == told.name })
            {
                let old = aliases[index]
                aliases[index] = GatewayAlias(
                    gatewayID: old.gatewayID,
                    fingerprint: old.fingerprint,
                    leaf: old.leaf,
                    name: told.name
                )
                try AliasRow.replace(aliases, db)
            }
        } else if parts.name != told.name {
            parts.name = told.name
            try PairingRow.write(parts, db)
        }
        guard let bot = told.bots.first else { return }
        var bots = try BotRow.fetch(present.id, db)
        if let index = bots.firstIndex(where: { $0.id == bot.id }) { bots[index] = bot } else { bots.append(bot) }
        try BotRow.replace(try bots.bounded(), of: present.id, db)
    }

    /// Lets a pairing trust what the part trusts, and seals its tokens for that.
    private static func bind(_ parts: PairingParts, as told: StoredPairing, _ key: SealingKey, _ db: Database) throws {
        var pairing = parts.row.pairing
        let former = parts.destination
        (pairing.trust, pairing.fingerprint, pairing.remoteURL) = (told.trust, told.fingerprint, told.remoteURL)
        pairing.operatorTool = told.operatorTool
        guard pairing != parts.row.pairing else { return }
        // Without TLS the place is the proof.
        if told.trust.isPlain, told.trust != parts.row.pairing.trust {
            try EndpointRow.replace(told.endpoints, of: pairing.id, db)
        }
        try PairingRow.write(pairing, db)
        guard let new = try PairingParts.fetch(pairing.id, db)?.destination, new != former else { return }
        for var row in parts.credentials {
            guard let secret = key.open(row.sealed, in: row.place(former)) else { continue }
            row.sealed = try key.seal(secret, in: row.place(new))
            try row.updateSeal(db)
        }
    }

    /// Takes a pairing out of the bin for a credential; others of it that were there stay.
    private static func unbin(_ parts: PairingParts, for credential: CredentialID, _ db: Database) throws {
        let nothing = "binnedAt = NULL, binReason = NULL, binDetail = NULL, overdueSince = NULL WHERE id = ?"
        if let bin = parts.row.bin {
            for row in parts.credentials where row.bin == nil { try bin.write(row.credential.id, db) }
            try db.execute(sql: "UPDATE pairing SET \(nothing)", arguments: [parts.row.pairing.id.description])
        }
        try db.execute(sql: "UPDATE credential SET \(nothing)", arguments: [credential.description])
    }
}
