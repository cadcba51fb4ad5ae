internal import GRDB
public import GatewayProtocol

/// The secret of a credential at one moment. It may be replaced right afterwards.
public struct StoredSecret: Hashable, Sendable {
    /// The secret.
    public let secret: Secret

    /// The generation of the credential that the secret belongs to.
    public let generation: Int
}

extension PairingStore {
    /// Opens the secret of a live credential, to be sent to its gateway. Pass the generation when you store what the
    /// gateway then answers: see ``replaceSecret(_:of:in:ifGeneration:at:)`` and
    /// ``moveToBin(_:of:ifGeneration:reason:at:)``.
    ///
    /// - Throws: The errors of ``secret(of:in:)``; ``StoreError/Code/notFound`` also for a credential in the bin.
    public func liveSecret(of credential: CredentialID, in pairing: PairingID) throws(StoreError) -> StoredSecret {
        let key = try key()
        return try database.read { db in
            let row = try CredentialRow.fetchLive(credential, of: pairing, db)
            return StoredSecret(secret: try Self.open(row, key), generation: row.credential.generation)
        }
    }

    /// Opens the secret of a credential, whether its pairing is live or in the bin.
    ///
    /// - Throws: ``StoreError/Code/notFound``; ``keyProblem``; ``StoreError/Code/tampered`` when it was sealed for another
    ///   pairing, credential, generation or other bots.
    public func secret(of credential: CredentialID, in pairing: PairingID) throws(StoreError) -> Secret {
        let key = try key()
        return try database.read { try Self.open(try CredentialRow.fetch(credential, of: pairing, $0), key) }
    }

    /// Returns a live pairing with a certain live credential.
    ///
    /// - Throws: ``StoreError/Code/notFound`` when one of them is in the bin or does not exist.
    public func livePairing(_ id: PairingID, with credential: CredentialID) throws(StoreError) -> StoredPairing {
        guard let found = try pairing(id) else { throw .noPairing(id) }
        guard found.credentials.contains(where: { $0.id == credential }) else { throw .noCredential(credential) }
        return found
    }

    /// Replaces the secret of a credential with a new one. The old secret is deleted, and the generation grows by one.
    ///
    /// - Parameters:
    ///   - secret: The new secret.
    ///   - credential: The credential.
    ///   - pairing: Its pairing.
    ///   - generation: The generation of the secret that is to be replaced; `nil` for any.
    ///   - time: The time at which the new secret was received, in milliseconds since 1970.
    /// - Returns: The new generation.
    /// - Throws: ``StoreError/Code/notFound`` also for a credential in the bin; ``StoreError/Code/outdated`` when the
    ///   secret has another generation.
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
        // The key has opened the private key of this store's device, so it is the right one. If it does not open this
        // secret, the row is not as it was written.
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
