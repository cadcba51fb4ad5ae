internal import DNSSD
internal import GatewayProtocol
internal import Scanning

/// Storing what a gateway has granted.
extension PairingCoordinator {
    /// Stores a new pairing, or adds what was granted to the existing one. For the thread of the store.
    nonisolated func keep(_ grant: PairingGrant, _ attempt: PairingAttempt) throws(StoreError) -> PairingID {
        let time = configuration.now()
        if let before = attempt.offer.pairing {
            do throws(StoreError) {
                try add(grant, to: before, attempt, at: time)
                return before.id
            } catch {
                // The existing pairing has gone to the bin meanwhile, so the grant becomes a pairing of its own.
                guard error.code == .notFound else { throw error }
            }
        }
        let replaced = try store.pairings().filter(attempt.offer.replaces)
        var (pairing, secrets) = try pairing(grant, attempt, at: time)
        if attempt.name == nil, let former = replaced.first {
            (pairing.name, pairing.ownName) = (former.name, attempt.offer.name)
        }
        try store.insert(pairing, secrets: secrets)
        for former in replaced {
            do throws(StoreError) {
                try store.moveToBin(former.id, reason: .forgotten, at: time)
            } catch {
                // Somebody else has unpaired it meanwhile.
                guard error.code == .notFound else { throw error }
            }
        }
        return pairing.id
    }

    /// Returns the pairing that a grant makes, and the secrets of its credentials.
    nonisolated func pairing(
        _ grant: PairingGrant,
        _ attempt: PairingAttempt,
        at time: Int
    ) throws(StoreError) -> (StoredPairing, [CredentialID: Secret]) {
        let offer = attempt.offer
        let deviceID = try deviceID(store.device, for: attempt)
        var secrets: [CredentialID: Secret] = [:]
        let credentials = grant.tokens.map { token in
            let credential = credential(token, deviceID, at: time)
            secrets[credential.id] = token.secret
            return credential
        }
        let pairing = StoredPairing(
            gatewayID: offer.gatewayID.description,
            fingerprint: offer.fingerprint,
            name: attempt.name ?? offer.name,
            ownName: attempt.name == nil ? nil : offer.name,
            dialect: offer.dialect,
            operatorTool: attempt.operatorTool ?? .openClaw,
            trust: attempt.policy,
            endpoints: [offer.endpoint],
            remoteURL: offer.remoteURL?.description,
            connectedURL: offer.isMadeOutside ? offer.remoteURL?.description : nil,
            pairedAt: time,
            bots: bots(grant),
            credentials: credentials
        )
        return (pairing, secrets)
    }

    private nonisolated func credential(
        _ token: PairingGrant.Token,
        _ deviceID: String,
        at time: Int
    ) -> StoredCredential {
        StoredCredential(bots: token.bots, createdAt: time, deviceID: deviceID, scopes: token.scopes)
    }

    private nonisolated func bots(_ grant: PairingGrant) -> [StoredBot] {
        grant.bots.map { StoredBot(id: $0.id, name: $0.name, emoji: $0.emoji) }
    }

    /// Adds a grant to a pairing. A token for bots that have one already replaces it, since the gateway has revoked the
    /// old one; other tokens are added, and a credential in the bin stays there.
    ///
    /// - Throws: `notFound` when the pairing is in the bin.
    private nonisolated func add(
        _ grant: PairingGrant,
        to before: StoredPairing,
        _ attempt: PairingAttempt,
        at time: Int
    ) throws(StoreError) {
        let offer = attempt.offer
        let deviceID = try deviceID(store.device, for: attempt)
        // Read again: `before` was read before the gateway, and its operator, were asked.
        let credentials = (try store.pairing(before.id) ?? before).credentials
        for token in grant.tokens {
            let old = credentials.first { Set($0.bots) == Set(token.bots) }
            if let old, try replace(old.id, by: token, in: before.id, at: time) { continue }
            let opened = bots(grant).filter { token.bots.isEmpty || token.bots.contains($0.id) }
            let credential = credential(token, deviceID, at: time)
            try store.insert(credential, secret: token.secret, bots: opened, into: before.id)
        }
        let grantedBots = bots(grant)
        try store.update(before.id) { pairing in
            for bot in grantedBots {
                guard let index = pairing.bots.firstIndex(where: { $0.id == bot.id }) else {
                    pairing.bots.append(bot)
                    continue
                }
                (pairing.bots[index].name, pairing.bots[index].emoji) = (bot.name, bot.emoji)
            }
            pairing.noteVerified(at: offer.endpoint)
            if let tool = attempt.operatorTool { pairing.operatorTool = tool }
            if let url = offer.remoteURL {
                pairing.remoteURL = url.description
                if offer.isMadeOutside { pairing.connectedURL = url.description }
            }
            if let name = attempt.name { (pairing.name, pairing.ownName) = (name, offer.name) }
        }
    }

    /// Replaces the secret of a credential, and its scopes, which belong to the token; returns `false` when the credential is in the bin.
    private nonisolated func replace(
        _ credential: CredentialID,
        by token: PairingGrant.Token,
        in pairing: PairingID,
        at time: Int
    ) throws(StoreError) -> Bool {
        do throws(StoreError) {
            try store.replaceSecret(token.secret, of: credential, in: pairing, scopes: token.scopes, at: time)
            return true
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }
}

extension PairingOffer {
    /// Indicates whether the gateway was asked at its address outside of this network, and has proved there that it is at
    /// that name or address.
    fileprivate var isMadeOutside: Bool {
        guard let remoteURL, remoteURL.isSameSite(as: endpoint) else { return false }
        return remoteURL.address.map { $0 == endpoint.address } ?? (certifiedHost == remoteURL.host)
    }
}
