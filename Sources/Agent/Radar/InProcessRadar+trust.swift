internal import DNSSD
package import GatewayProtocol
package import Pairing
package import Reports

/// Trust in another certificate of a gateway, or in another place of it.
extension InProcessRadar {
    package func trust(
        _ trust: NewTrust,
        in id: PairingID,
        shown: TrustReport?
    ) async throws(RadarError) -> PairingDocument {
        let pairing = try await pairing(id)
        guard !pairing.awaitsTrust else {
            guard shown == nil || shown == TrustReport(.awaited) else { throw RadarError(contested: pairing) }
            return try await settle(pairing, trust)
        }
        return switch trust {
        case .leaf(let leaf, let place, let unseen):
            try await self.trust(leaf, at: place, unseen: unseen, in: id, shown: shown)
        case .place(let extent, let address): try await self.trust(extent, at: address, in: id, shown: shown)
        }
    }

    private func trust(
        _ leaf: LeafFingerprint,
        at place: Endpoint?,
        unseen: Bool,
        in id: PairingID,
        shown: TrustReport?
    ) async throws(RadarError) -> PairingDocument {
        let pairing = try await pairing(id, shown: shown, unlessTrusted: .pinned(leaf))
        try Self.checkThatCertificateDecides(pairing)
        var change = TrustChange(policy: .pinned(leaf))
        if pairing.trust != change.policy {
            let shown = try await coordinator.certificates(of: pairing, at: place)
            guard unseen || shown.identity(with: leaf) != nil else {
                throw RadarError(.conflict, "\(shown.doubt(about: leaf)). Nothing was changed")
            }
            change = shown.change(to: leaf, at: place)
        }
        return try await accept(change, for: pairing)
    }

    /// Trusts a gateway that awaits it, which is asked who it is once more: where the user was shown another one, nothing is
    /// changed.
    private func settle(_ pairing: StoredPairing, _ trust: NewTrust) async throws(RadarError) -> PairingDocument {
        let (leaf, extent, address): (LeafFingerprint?, PlainTrust?, String?) =
            switch trust {
            case .leaf(let leaf, let place, _): (leaf, nil, place?.description)
            case .place(let extent, let address): (nil, extent, address)
            }
        let coordinator = try coordinator
        let offer: PairingOffer
        do throws(PairingError) {
            offer = try await coordinator.look(at: pairing, leaf: leaf)
        } catch {
            throw RadarError(error)
        }
        try Self.check(offer, extent, at: address)
        return try await accept(offer, extent, for: pairing)
    }

    /// Throws unless a gateway that has answered can be trusted as the user wants.
    ///
    /// - Parameters:
    ///   - extent: The way to trust one without TLS; `nil` if the user has chosen none.
    ///   - address: The address at which it has to be; `nil` for any.
    package static func check(
        _ offer: PairingOffer,
        _ extent: PlainTrust?,
        at address: String?
    ) throws(RadarError) {
        guard extent == nil || offer.isPlain else {
            throw RadarError(
                .inapplicable,
                "it has TLS, and --trust is for a gateway without: give the digits of its certificate with --certificate."
            )
        }
        if offer.isPlain {
            let extent = extent ?? .address
            let decision = extent.decision(for: offer.dialect, in: offer.network)
            guard case .allowed = decision else { throw RadarError(refusing: extent, decision, at: offer.endpoint) }
        }
        guard address.map(offer.endpoint.isNamed) ?? true else {
            throw RadarError(.inapplicable, "it is at \(offer.endpoint), not at the address that was given.")
        }
    }

    /// Trusts a gateway that awaits it, as it was shown to the user; without TLS, by default at its present address.
    package func accept(
        _ offer: PairingOffer,
        _ extent: PlainTrust? = nil,
        for pairing: StoredPairing
    ) async throws(RadarError) -> PairingDocument {
        let coordinator = try coordinator
        do throws(PairingError) {
            try await coordinator.accept(offer, for: pairing, plainTrust: offer.isPlain ? extent ?? .address : nil)
        } catch {
            let isAwaited = try await self.pairing(pairing.id).awaitsTrust
            throw error.code == .notAllowed && !isAwaited ? RadarError(contested: pairing) : RadarError(error)
        }
        return PairingDocument(PairingReport(try await self.pairing(pairing.id)))
    }

    /// Returns the pairing about whose trust the user decides, unless somebody else has decided otherwise since it was shown.
    ///
    /// - Parameters:
    ///   - shown: The trust as it was shown; `nil` for that of now.
    ///   - wanted: The trust that the user wants, which nobody contests.
    func pairing(
        _ id: PairingID,
        shown: TrustReport?,
        unlessTrusted wanted: TrustPolicy? = nil
    ) async throws(RadarError) -> StoredPairing {
        let pairing = try await pairing(id)
        guard shown == nil || shown == TrustReport(pairing.trust) || pairing.trust == wanted else {
            throw RadarError(contested: pairing)
        }
        guard !pairing.awaitsTrust else { throw RadarError(awaitingTrust: pairing) }
        return pairing
    }

    /// Throws unless a gateway is one that is known by its certificate, about which the user decides.
    package static func checkThatCertificateDecides(_ pairing: StoredPairing) throws(RadarError) {
        guard case .certified(let host) = pairing.trust else { return }
        throw RadarError(
            .inapplicable,
            "it is trusted by its host name \(DisplayText(host)), whatever its certificate."
        )
    }

    /// Changes the trust in a gateway, unless somebody else has decided about it since it was shown.
    package func accept(
        _ change: TrustChange,
        for shown: StoredPairing
    ) async throws(RadarError) -> PairingDocument {
        let (isAccepted, result) = try await write { store throws(StoreError) in
            (try store.accept(change, for: shown), try store.pairing(shown.id))
        }
        guard isAccepted else { throw RadarError(contested: shown) }
        return PairingDocument(PairingReport(result ?? shown))
    }
}
