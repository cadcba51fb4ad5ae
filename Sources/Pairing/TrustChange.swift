package import DNSSD
package import GatewayProtocol

/// The change of the trust in a paired gateway that the user has consented to.
package struct TrustChange: Hashable, Sendable {
    package let policy: TrustPolicy

    /// The fingerprint of the gateway with the accepted certificate; `nil` if that is not known.
    package var fingerprint: GatewayFingerprint?

    /// Indicates whether that is another one than before.
    package var isRenewed = false

    /// The only endpoint of a gateway without TLS; `nil` with TLS, where the address proves nothing.
    package var endpoint: Endpoint?

    /// The place at which a gateway with TLS shows the certificate by the user's word; `nil` where it was.
    package var place: Endpoint?

    package init(policy: TrustPolicy, endpoint: Endpoint? = nil) {
        self.policy = policy
        self.endpoint = endpoint
    }

    /// Applies the change. Earlier endpoints of a gateway without TLS are removed, because anybody may have these
    /// addresses by now.
    package func apply(to pairing: inout StoredPairing) {
        pairing.accept(policy, telling: fingerprint)
        if let endpoint { pairing.endpoints = [endpoint] }
        if let place { pairing.noteVerified(at: place) }
    }
}

extension PairingStore {
    /// Changes the trust in a gateway as the user has decided, who has answered for what was shown: where somebody else has
    /// decided otherwise since, that decision stays.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - shown: The pairing with the gateway, as it was when the user was asked.
    /// - Returns: `true` if the gateway is trusted as the user has decided; `false` if somebody else has decided otherwise.
    package func accept(_ change: TrustChange, for shown: StoredPairing) throws(StoreError) -> Bool {
        var isAccepted = false
        // The trust is compared within the write: another process may decide between a reading and a write.
        try update(shown.id) { pairing in
            if pairing.trust == shown.trust { change.apply(to: &pairing) }
            isAccepted = pairing.trust == change.policy
        }
        return isAccepted
    }
}
