internal import GRDB
public import GatewayProtocol

/// A secret as it is at one moment. Another one may take its place right afterwards.
public struct StoredSecret: Hashable, Sendable {
    /// The secret.
    public let secret: Secret

    /// The generation of the credential that it belongs to.
    public let generation: Int
}

extension PairingStore {
    /// Opens the secret of a live credential, to be sent to its gateway. What the gateway says of it afterwards is stored with
    /// this generation: see ``replaceSecret(_:of:in:ifGeneration:at:)`` and ``moveToBin(_:of:ifGeneration:reason:at:)``.
    ///
    /// - Throws: As ``secret(of:in:)``; ``StoreError/Code/notFound`` also for what is in the bin.
    public func liveSecret(of credential: CredentialID, in pairing: PairingID) throws(StoreError) -> StoredSecret {
        let key = try key()
        return try database.read { db in
            let row = try CredentialRow.fetchLive(credential, of: pairing, db)
            return StoredSecret(secret: try Self.open(row, key), generation: row.credential.generation)
        }
    }

    /// Opens the secret of a credential, of a live pairing or one in the bin.
    ///
    /// - Throws: ``StoreError/Code/notFound``; ``keyProblem``; ``StoreError/Code/tampered`` when it was sealed for another
    ///   pairing, credential, generation or other bots.
    public func secret(of credential: CredentialID, in pairing: PairingID) throws(StoreError) -> Secret {
        let key = try key()
        return try database.read { try Self.open(try CredentialRow.fetch(credential, of: pairing, $0), key) }
    }

    /// The live pairing of a credential that is in use.
    ///
    /// - Throws: ``StoreError/Code/notFound`` when one of them is in the bin, or there is none.
    public func livePairing(_ id: PairingID, with credential: CredentialID) throws(StoreError) -> StoredPairing {
        guard let found = try pairing(id) else { throw .noPairing(id) }
        guard found.credentials.contains(where: { $0.id == credential }) else { throw .noCredential(credential) }
        return found
    }

    /// Puts a new secret in the place of a credential's old one, which is gone with that. Its generation grows by one.
    ///
    /// - Parameters:
    ///   - secret: The new secret.
    ///   - credential: The credential.
    ///   - pairing: Its pairing.
    ///   - generation: The generation of the secret that is to be replaced; `nil` for whichever is there.
    ///   - time: The time at which the new one came, in milliseconds since 1970.
    /// - Returns: The new generation.
    /// - Throws: ``StoreError/Code/notFound`` also for what is in the bin; ``StoreError/Code/outdated`` for another
    ///   generation.
    @discardableResult
    public func replaceSecret(
        _ secret: Secret,
        of credential: CredentialID,
        in pairing: PairingID,
        ifGeneration generation: Int? = nil,
        at time: Int
    ) throws(StoreError) -> Int {
        try Self.check(secret)
        let key = try key()
        let next = try database.write { db in
            var row = try CredentialRow.fetchLive(credential, of: pairing, db)
            try row.check(generation)
            let (next, overflows) = row.credential.generation.addingReportingOverflow(1)
            guard !overflows else { throw Row.unreadable("generation") }
            row.credential.generation = next
            row.credential.createdAt = time
            row.sealed = try key.seal(secret, in: row.place)
            try row.update(db)
            return next
        }
        watch.notifyReaders()
        return next
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
