internal import Crypto
internal import GRDB
internal import GatewayProtocol

/// The identity of this device as it is stored, its private key sealed.
struct DeviceRow: Hashable, Sendable {
    let id: String
    var name: String
    var emoji: String?
    let platform: String
    let publicKey: [UInt8]
    let sealedKey: [UInt8]

    /// Creates a new identity.
    init(name: String, sealedWith key: SealingKey) throws {
        var generator = SystemRandomNumberGenerator()
        let signingKey = Curve25519.Signing.PrivateKey()
        self.id = UUIDText.random(using: &generator)
        self.name = name.stored(StoreLimits.nameBytes)
        self.emoji = nil
        self.platform = DeviceIdentity.thisPlatform
        self.publicKey = Array(signingKey.publicKey.rawRepresentation)
        self.sealedKey = try key.seal(Secret(bytes: signingKey.rawRepresentation), in: .device(id))
    }

    /// Takes over an identity from another device.
    init(_ identity: DeviceFile.Identity, sealedWith key: SealingKey) throws {
        id = identity.id
        name = identity.name
        emoji = identity.emoji
        platform = identity.platform
        publicKey = identity.publicKey
        sealedKey = try key.seal(identity.privateKey, in: .device(identity.id))
    }

    /// Indicates whether two keys are the halves of one.
    static func isPair(_ publicKey: [UInt8], _ privateKey: [UInt8]) -> Bool {
        let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: privateKey)
        return key.map { Array($0.publicKey.rawRepresentation) } == publicKey
    }

    /// Indicates whether this is the key that the private key was sealed with.
    func opens(with key: SealingKey) -> Bool { key.open(sealedKey, in: .device(id)) != nil }

    /// Returns the identity, with its private key if the sealing key is available.
    func identity(_ state: KeyState) -> DeviceIdentity {
        var privateKey: Secret?
        var sealed: StoreError?
        switch state {
        case .available(let key): privateKey = key.open(sealedKey, in: .device(id))
        case .unavailable(let error): sealed = error
        }
        return DeviceIdentity(
            id: id,
            name: name,
            emoji: emoji,
            platform: platform,
            publicKey: publicKey,
            privateKey: privateKey,
            sealed: sealed
        )
    }
}

// MARK: In the database

extension DeviceRow {
    /// Reads the one row; `nil` in a new database.
    static func fetch(_ db: Database) throws -> DeviceRow? {
        try Row.fetchOne(db, sql: "SELECT id, name, emoji, platform, publicKey, sealedKey FROM device")
            .map { try DeviceRow($0) }
    }

    private init(_ row: Row) throws {
        id = try row.value("id")
        name = try row.value("name")
        emoji = try row.optional("emoji")
        platform = try row.value("platform")
        publicKey = try row.bytes("publicKey")
        sealedKey = try row.bytes("sealedKey")
    }

    func insert(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO device (one, id, name, emoji, platform, publicKey, sealedKey) VALUES (1, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [id, name, emoji, platform, publicKey.blob, sealedKey.blob]
        )
    }

    /// Reads the time at which the identity was taken to another device.
    static func movedAt(_ db: Database) throws -> Int? {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT movedAt FROM device"))
    }

    /// Writes the row in place of another identity.
    func replace(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM device")
        try insert(db)
    }

    func update(_ db: Database) throws {
        try db.execute(sql: "UPDATE device SET name = ?, emoji = ?", arguments: [name, emoji])
    }
}
