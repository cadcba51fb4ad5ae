internal import GRDB
internal import GatewayProtocol

/// A credential as it is stored, its secret sealed.
struct CredentialRow {
    var credential: StoredCredential
    let pairing: PairingID
    var sealed: [UInt8]

    /// The columns that put the credential itself into the bin; `nil` when it is live, or when only its pairing is in
    /// the bin.
    let bin: BinRow?

    /// The version by which its secret is sealed: see ``TokenBinding``.
    var version: Int

    /// The place that its secret is sealed for.
    func place(_ destination: TokenDestination) -> SealedPlace { .credential(credential, of: pairing, destination) }

    /// The place that earlier versions have sealed its secret for.
    var formerPlace: SealedPlace { .unboundCredential(credential, of: pairing) }

    private static let columns = "id, pairing, generation, createdAt, deviceID, sealedToken, sealVersion"

    /// Returns all credentials of a pairing, including those in the bin.
    static func fetch(_ pairing: PairingID, _ db: Database) throws -> [CredentialRow] {
        try Row.fetchAll(
            try db.cachedStatement(
                sql: "SELECT \(columns), \(BinRow.columns) FROM credential WHERE pairing = ? ORDER BY position"
            ),
            arguments: [pairing.description]
        )
        .map { try CredentialRow($0, db) }
    }

    static func fetch(_ id: CredentialID, of pairing: PairingID, _ db: Database) throws -> CredentialRow {
        let row = try Row.fetchOne(
            db,
            sql: "SELECT \(columns), \(BinRow.columns) FROM credential WHERE id = ? AND pairing = ?",
            arguments: [id.description, pairing.description]
        )
        guard let row else { throw StoreError.noCredential(id) }
        return try CredentialRow(row, db)
    }

    /// Returns a credential, if neither it nor its pairing is in the bin.
    static func fetchLive(_ id: CredentialID, of pairing: PairingID, _ db: Database) throws -> CredentialRow {
        let row = try fetch(id, of: pairing, db)
        guard row.bin == nil, try PairingRow.fetch(pairing, db)?.bin == nil else { throw StoreError.noCredential(id) }
        return row
    }

    /// Returns the credentials whose secrets are not bound to where they may go, without those that cannot be decoded.
    static func fetchUnbound(_ db: Database) throws -> [CredentialRow] {
        try Row.fetchAll(
            db,
            sql: "SELECT \(columns), \(BinRow.columns) FROM credential WHERE sealVersion = ?",
            arguments: [TokenBinding.unbound]
        )
        .compactMap { row in try StoreError.ifDecodable { try CredentialRow(row, db) } }
    }

    /// Checks that the credential has this generation, if one is given.
    func check(_ generation: Int?) throws(StoreError) {
        guard let generation, generation != credential.generation else { return }
        throw StoreError(
            .outdated,
            expected: "the secret of generation \(generation)",
            found: "that of generation \(credential.generation), which has replaced it. It stays as it is"
        )
    }

    /// The number of credentials of a pairing, those in the bin included.
    static func count(of pairing: PairingID, _ db: Database) throws -> Int {
        let sql = "SELECT count(*) FROM credential WHERE pairing = ?"
        return try Int.fetchOne(db, sql: sql, arguments: [pairing.description]) ?? 0
    }

    /// Indicates whether any pairing has a credential with that identifier.
    static func exists(_ id: CredentialID, _ db: Database) throws -> Bool {
        try Row.fetchOne(db, sql: "SELECT 1 FROM credential WHERE id = ?", arguments: [id.description]) != nil
    }

    private init(_ row: Row, _ db: Database) throws {
        let id: CredentialID = try row.read("id") { CredentialID($0 as String) }
        pairing = try row.read("pairing") { PairingID($0 as String) }
        sealed = try row.bytes("sealedToken")
        version = try row.value("sealVersion")
        bin = try BinRow(row)
        credential = StoredCredential(
            id: id,
            bots: try Row.fetchAll(
                try db.cachedStatement(sql: "SELECT bot FROM credentialBot WHERE credential = ? ORDER BY position"),
                arguments: [id.description]
            )
            .map { try BotRow.botID($0, "bot") },
            generation: try row.value("generation"),
            createdAt: try row.value("createdAt"),
            deviceID: try row.value("deviceID"),
            scopes: try Row.fetchAll(
                try db.cachedStatement(sql: "SELECT scope FROM credentialScope WHERE credential = ? ORDER BY position"),
                arguments: [id.description]
            )
            .map { try $0.value("scope") }
        )
    }

    /// Adds a credential after the pairing's others.
    static func insert(
        _ credential: StoredCredential,
        of pairing: PairingID,
        sealed: [UInt8],
        _ db: Database
    ) throws {
        try db.execute(
            sql: """
                INSERT INTO credential (\(columns), position)
                VALUES (?, ?, ?, ?, ?, ?, ?,
                    (SELECT coalesce(max(position), -1) + 1 FROM credential WHERE pairing = ?))
                """,
            arguments: [
                credential.id.description, pairing.description, credential.generation, credential.createdAt,
                credential.deviceID, sealed.blob, TokenBinding.bound, pairing.description,
            ]
        )
        try writeLists(of: credential, db)
    }

    /// Updates an existing credential. Its position and its place in the bin stay the same.
    func update(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE credential SET generation = ?, createdAt = ?, deviceID = ?, sealedToken = ?, sealVersion = ?
                WHERE id = ?
                """,
            arguments: [
                credential.generation, credential.createdAt, credential.deviceID, sealed.blob, version,
                credential.id.description,
            ]
        )
        try Self.writeLists(of: credential, db)
    }

    /// Updates the sealed secret alone.
    func updateSeal(_ db: Database) throws {
        try db.execute(
            sql: "UPDATE credential SET sealedToken = ?, sealVersion = ? WHERE id = ?",
            arguments: [sealed.blob, version, credential.id.description]
        )
    }

    private static func writeLists(of credential: StoredCredential, _ db: Database) throws {
        let id = credential.id.description
        try db.execute(sql: "DELETE FROM credentialBot WHERE credential = ?", arguments: [id])
        for (position, bot) in credential.bots.enumerated() {
            try db.execute(
                sql: "INSERT INTO credentialBot (credential, position, bot) VALUES (?, ?, ?)",
                arguments: [id, position, bot.bytes.blob]
            )
        }
        try db.execute(sql: "DELETE FROM credentialScope WHERE credential = ?", arguments: [id])
        for (position, scope) in credential.scopes.enumerated() {
            try db.execute(
                sql: "INSERT INTO credentialScope (credential, position, scope) VALUES (?, ?, ?)",
                arguments: [id, position, scope]
            )
        }
    }
}

extension SealedPlace {
    /// Returns the place of one generation of a credential, and where it may go.
    static func credential(
        _ credential: StoredCredential,
        of pairing: PairingID,
        _ destination: TokenDestination
    ) -> SealedPlace {
        SealedPlace(
            "clawradar credential 2",
            parts(of: credential, pairing) + [Array(credential.deviceID.utf8), destination.bytes]
                + credential.bots.map(\.bytes)
        )
    }

    /// Returns the same as earlier versions have sealed it.
    static func unboundCredential(_ credential: StoredCredential, of pairing: PairingID) -> SealedPlace {
        SealedPlace("clawradar credential 1", parts(of: credential, pairing) + credential.bots.map(\.bytes))
    }

    private static func parts(of credential: StoredCredential, _ pairing: PairingID) -> [[UInt8]] {
        [pairing.description, credential.id.description, String(credential.generation)].map { Array($0.utf8) }
    }
}
