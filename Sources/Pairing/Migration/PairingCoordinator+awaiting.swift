internal import DNSSD
internal import GatewayClient
public import GatewayProtocol
internal import Scanning

/// Trust in gateways whose tokens this device has from elsewhere.
extension PairingCoordinator {
    /// Asks a gateway that awaits trust who it is. Nothing secret is sent.
    ///
    /// - Parameters:
    ///   - pairing: Its pairing.
    ///   - leaf: The certificate whose digits the user gave; nothing else is asked then.
    /// - Returns: The gateway, without a pairing that there may be with it: the one that awaits trust is another.
    public func look(
        at pairing: StoredPairing,
        leaf: LeafFingerprint? = nil
    ) async throws(PairingError) -> PairingOffer {
        guard pairing.awaitsTrust, let url = pairing.remoteURL.flatMap({ GatewayURL($0) }) else {
            throw PairingError(.notAllowed, "expected a gateway that awaits trust, found one that does not")
        }
        let place: PairingTarget.Place =
            if let address = url.address {
                .endpoints([url.endpoint(at: address)])
            } else {
                .host(url.host, port: url.port)
            }
        var target = PairingTarget(
            place: place,
            name: pairing.name,
            resource: url.resource,
            dialect: pairing.dialect,
            transports: url.isSecure ? .tlsOnly : .tlsFirst
        )
        if let leaf { target.demand(leaf) }
        let endpoints = await resolve(target)
        guard !endpoints.isEmpty else {
            throw PairingError(.notFound, "expected an address of its host, found none")
        }
        let offer = try await identify(target, at: endpoints).asNew
        if let leaf, offer.leaf != leaf {
            throw PairingError(.anotherGateway, "expected the certificate of this gateway, found another one")
        }
        guard offer.dialect == pairing.dialect else {
            throw PairingError(
                .unsupported,
                "expected a gateway of OptaPlus, found one of \(offer.dialect.rawValue): pair with it anew"
            )
        }
        if let conflict = offer.conflict { throw PairingError(.changedLeaf, conflict.message, conflict: conflict) }
        try offer.checkCanBeTrusted()
        return offer
    }

    /// Trusts a gateway that awaits it, as it was shown to the user: from now on it may have its tokens. Where somebody else
    /// has trusted another one since, that decision stays, and this one fails.
    public func accept(
        _ offer: PairingOffer,
        for pairing: StoredPairing,
        plainTrust: PlainTrust? = nil
    ) async throws(PairingError) {
        // Another pairing with the same gateway may have wider trust than the user was shown here.
        let policy = try offer.asNew.policy(for: PairingConsent(plainTrust: plainTrust))
        let id = pairing.id
        let accepted = try await stored { store throws(StoreError) in
            let deviceID = try store.device.id(at: policy, fingerprint: offer.fingerprint, endpoint: offer.endpoint)
            try store.update(id) { $0.accept(offer, policy, as: deviceID) }
            return try store.pairing(id)
        }
        guard let accepted else { return }
        await report(accepted)
        guard accepted.trust == policy, accepted.endpoints.contains(offer.endpoint) else {
            throw PairingError(.notAllowed, "expected a gateway that awaits trust, found one that does not")
        }
    }
}

extension StoredPairing {
    /// Takes on the identity of the gateway that the user has accepted, and its trust. Does nothing unless that is awaited.
    mutating func accept(_ offer: PairingOffer, _ policy: TrustPolicy, as deviceID: String) {
        guard awaitsTrust else { return }
        trust = policy
        gatewayID = offer.gatewayID.description
        fingerprint = offer.fingerprint
        name = offer.name
        endpoints = [offer.endpoint]
        resource = offer.endpoint.resource
        // It was only the address at which to look. A certified host is looked up by its name.
        remoteURL = nil
        let renamed = ids(in: offer.bots)
        bots = bots.map { bot in
            let found = offer.bots.first { $0.id == renamed[bot.id] ?? bot.id }
            return StoredBot(
                id: renamed[bot.id] ?? bot.id,
                name: found?.name ?? bot.name,
                emoji: found?.emoji ?? bot.emoji,
                isArchived: bot.isArchived,
                accentColor: bot.accentColor
            )
        }
        for index in credentials.indices {
            credentials[index].bots = credentials[index].bots.map { renamed[$0] ?? $0 }
            credentials[index].deviceID = deviceID
        }
    }

    /// Returns the identifiers that the gateway gives bots which the older configuration had under others: the older one
    /// gave identifiers of its own, and only the name is left to tell.
    private func ids(in offered: [BotDescription]) -> [BotID: BotID] {
        let known = Set(offered.map(\.id))
        var result: [BotID: BotID] = [:]
        var taken = Set(bots.map(\.id))
        for bot in bots where !known.contains(bot.id) {
            let named = offered.filter { $0.name == bot.name }
            guard named.count == 1, let id = named.first?.id, taken.insert(id).inserted else { continue }
            result[bot.id] = id
        }
        return result
    }
}
