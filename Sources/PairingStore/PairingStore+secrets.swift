internal import GRDB
public import GatewayProtocol

extension PairingStore {
    /// Opens the secret of a credential, of a live pairing or one in the bin.
    ///
    /// - Throws: ``StoreError/Code/notFound``; ``keyProblem``; ``StoreError/Code/tampered`` when it was sealed for another
    ///   pairing, credential, generation or other bots.
    public func secret(of credential: CredentialID, in pairing: PairingID) throws(StoreError) -> Secret {
        let key = try key()
        return try database.read { try Self.open(try CredentialRow.fetch(credential, of: pairing, $0), key) }
    }

    /// Puts a new secret in the place of a credential's old one, which is gone with that. Its generation grows by one.
    ///
    /// - Parameters:
    ///   - secret: The new secret.
    ///   - credential: The credential.
    ///   - pairing: Its pairing.
    ///   - time: The time at which the new one came, in milliseconds since 1970.
    public func replaceSecret(
        _ secret: Secret,
        of credential: CredentialID,
        in pairing: PairingID,
        at time: Int
    ) throws(StoreError) {
        try Self.check(secret)
        let key = try key()
        try database.write { db in
            var row = try CredentialRow.fetch(credential, of: pairing, db)
            row.credential.generation += 1
            row.credential.createdAt = time
            row.sealed = try key.seal(secret, in: row.place)
            try row.update(db)
        }
        watch.tell()
    }

    static func check(_ secret: Secret) throws(StoreError) {
        let count = secret.withUnsafeBytes(\.count)
        guard count <= StoreLimits.secretBytes else {
            let expected = "a secret of at most \(StoreLimits.secretBytes) bytes"
            throw StoreError(.invalid, expected: expected, found: "\(count) bytes")
        }
    }

    static func open(_ row: CredentialRow, _ key: SealingKey) throws(StoreError) -> Secret {
        // The key has opened this store's own secret; where it does not open this one, the row is not as it was written.
        guard let secret = key.open(row.sealed, in: row.place) else {
            throw StoreError(
                .tampered,
                expected: "a secret that was sealed for this credential",
                found: "one that was changed, or belongs elsewhere. Pair again"
            )
        }
        return secret
    }
}
