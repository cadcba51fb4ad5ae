internal import DNSSD
package import GatewayProtocol
package import Pairing
package import Reports

/// Trust in another certificate of a gateway, or in another place of it.
extension InProcessRadar {
    package func trust(_ leaf: LeafFingerprint, in id: PairingID) async throws(RadarError) -> PairingDocument {
        let pairing = try await pairing(id)
        guard !pairing.awaitsTrust else { throw RadarError(awaitingTrust: pairing) }
        try Self.checkThatCertificateDecides(pairing)
        var change = TrustChange(policy: .pinned(leaf))
        if pairing.trust != change.policy {
            let shown = try await coordinator.certificates(of: pairing)
            guard shown.identity(with: leaf) != nil else {
                throw RadarError(.conflict, "\(shown.doubt(about: leaf)). Nothing was changed")
            }
            change = shown.change(to: leaf)
        }
        return try await accept(change, for: pairing)
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
        guard isAccepted else {
            throw RadarError(
                .contested,
                "the trust in \(shown.label) was changed by another process meanwhile. Nothing was changed: look at it with "
                    + "clawradar pairings, and try again."
            )
        }
        return PairingDocument(PairingReport(result ?? shown))
    }
}
