internal import DNSSD
internal import GatewayProtocol
package import Pairing
package import Reports

/// Trust in another certificate of a gateway, or in another place of it.
extension InProcessRadar {
    package func trust(
        _ trust: NewTrust,
        in id: PairingID,
        shown: TrustReport?
    ) async throws(RadarError) -> PairingDocument {
        switch trust {
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
