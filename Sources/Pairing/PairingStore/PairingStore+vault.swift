internal import GRDB
internal import GatewayProtocol

/// The vault key, kept in the store, sealed as tokens are.
extension PairingStore {
    /// Returns the vault key; `nil` if this device has none.
    ///
    /// - Throws: ``keyProblem``; `tampered` when it does not open.
    package func vaultKey() throws(StoreError) -> VaultKey? {
        let (key, device) = (try key(), device.id)
        return try database.read { db in
            guard let row = try Row.fetchOne(db, sql: "SELECT sealedKey FROM vault") else { return nil }
            guard let bytes = key.open(try row.bytes("sealedKey"), in: .vaultKey(device: device)),
                let opened = SealingKey(bytes)
            else {
                throw StoreError(
                    .tampered,
                    expected: "a vault key that was sealed for this device",
                    found: "one that was changed by something else than this program. Type the recovery code again"
                )
            }
            return VaultKey(opened)
        }
    }

    /// Keeps a vault key in place of any other one; `nil` for none.
    package func keepVaultKey(_ vault: VaultKey?) throws(StoreError) {
        let (key, device) = (try key(), device.id)
        try database.write { try Self.keep(vault, of: device, key, $0) }
        watch.notifyReaders()
    }

    static func keep(_ vault: VaultKey?, of device: String, _ key: SealingKey, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM vault")
        guard let vault else { return }
        let sealed = try key.seal(vault.key.bytes, in: .vaultKey(device: device))
        try db.execute(sql: "INSERT INTO vault (one, sealedKey) VALUES (1, ?)", arguments: [sealed.blob])
    }
}
