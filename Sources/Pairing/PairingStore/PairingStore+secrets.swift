internal import GRDB
package import GatewayProtocol

/// The secret of a credential at one moment. It may be replaced right afterwards.
package struct StoredSecret: Hashable, Sendable {
    /// The secret.
    package let secret: Secret

    /// The generation of the credential that the secret belongs to.
    package let generation: Int
}

extension PairingStore {
    /// Opens the secret of a live credential, to be sent to its gateway. Pass the generation when you store what the
    /// gateway then answers: see ``replaceSecret(_:of:in:ifGeneration:at:)`` and
    /// ``moveToBin(_:of:ifGeneration:reason:at:)``.
    ///
    /// - Throws: The errors of ``secret(of:in:)``; `notFound` also for a credential in the bin.
    package func liveSecret(of credential: CredentialID, in pairing: PairingID) throws(StoreError) -> StoredSecret {
        let key = try key()
        return try database.read { db in
            let row = try CredentialRow.fetchLive(credential, of: pairing, db)
            let secret = try Self.open(row, try TokenDestination.fetch(pairing, db), key)
            return StoredSecret(secret: secret, generation: row.credential.generation)
        }
    }

    /// Opens the secret of a credential, whether its pairing is live or in the bin.
    ///
    /// - Throws: `notFound`; ``keyProblem``; `tampered` when it was sealed for another
    ///   pairing, credential, generation or device, other bots, or another place that it may go to: the dialect, trust,
    ///   fingerprint, resource and remote URL of the pairing, and without TLS its endpoints.
    package func secret(of credential: CredentialID, in pairing: PairingID) throws(StoreError) -> Secret {
        let key = try key()
        return try database.read { db in
            let row = try CredentialRow.fetch(credential, of: pairing, db)
            return try Self.open(row, try TokenDestination.fetch(pairing, db), key)
        }
    }

    /// Returns a live pairing with a certain live credential, as it was when that credential's secret was sealed: so it
    /// may decide where the secret goes. Its bots and other credentials, of which there may be a thousand, are left out.
    ///
    /// - Throws: `notFound` when one of them is in the bin or does not exist; ``keyProblem``;
    ///   `tampered` when the secret was not sealed for this pairing.
    package func livePairing(_ id: PairingID, with credential: CredentialID) throws(StoreError) -> StoredPairing {
        let key = try key()
        return try database.read { db in
            let row = try CredentialRow.fetchLive(credential, of: id, db)
            guard var found = try PairingRow.fetch(id, db)?.pairing else { throw StoreError.noPairing(id) }
            found.endpoints = try EndpointRow.fetch(id, db)
            found.credentials = [row.credential]
            _ = try Self.open(row, TokenDestination(found), key)
            return found
        }
    }

    /// Replaces the secret of a credential with a new one. The old secret is deleted, and the generation grows by one.
    ///
    /// - Parameters:
    ///   - secret: The new secret.
    ///   - credential: The credential.
    ///   - pairing: Its pairing.
    ///   - scopes: The scopes that came with the new secret; `nil` if it keeps those of the former one.
    ///   - generation: The generation of the secret that is to be replaced; `nil` for any.
    ///   - time: The time at which the new secret was received, in milliseconds since 1970.
    /// - Returns: The new generation.
    /// - Throws: `notFound` also for a credential in the bin; `outdated` when the
    ///   secret has another generation.
    @discardableResult
    package func replaceSecret(
        _ secret: Secret,
        of credential: CredentialID,
        in pairing: PairingID,
        scopes: [String]? = nil,
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
            if let scopes { row.credential.scopes = scopes }
            row.sealed = try key.seal(secret, in: row.place(try TokenDestination.fetch(pairing, db)))
            row.version = TokenBinding.bound
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

    static func open(
        _ row: CredentialRow,
        _ destination: TokenDestination,
        _ key: SealingKey
    ) throws(StoreError) -> Secret {
        // The key has opened the private key of this store's device, so it is the right one. If it does not open this
        // secret, the row is not as it was written.
        guard let secret = key.open(row.sealed, in: row.place(destination)) else {
            throw StoreError(
                .tampered,
                expected: "a token that was sealed for the pairing \(row.pairing) as it is stored",
                found: "that one of them was changed by something else than this program. Pair again"
            )
        }
        return secret
    }
}
