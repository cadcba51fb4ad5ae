internal import DNSSD

/// The comparison of a paired gateway with others: with one that answers, and with those of other pairings.
extension PairedTerms {
    /// Indicates whether a pairing is with a gateway that has answered, which then may have the pairing's tokens. The
    /// fingerprint must be the same, too: of several gateways behind one front, all show its certificate. If there is none,
    /// the port and path must be the same; without TLS, the whole endpoint.
    ///
    /// - Parameters:
    ///   - attempt: The connection to it.
    ///   - told: The fingerprint that it has told there.
    package func isGateway(
        of attempt: TrustAttempt,
        _ dialect: GatewayDialect,
        telling told: GatewayFingerprint?
    ) -> Bool {
        let isAllowed = policy.decision(for: attempt).isAllowed && decision(told: told).isAllowed
        guard dialect == self.dialect, isAllowed else { return false }
        guard policy.isPlain else { return isPlace(attempt.endpoint, telling: told) }
        return fingerprint == told && (told != nil || endpoints.contains(attempt.endpoint))
    }

    /// Indicates whether another pairing is with the same gateway, as far as that is known: by the certificate or host
    /// name, behind which different fingerprints are different gateways, and without fingerprints different ports and
    /// paths; else by the fingerprint. A fingerprint given without TLS says nothing about a gateway that was proved by TLS.
    package func isSameGateway(as other: PairedTerms) -> Bool {
        guard dialect == other.dialect else { return false }
        switch (policy, other.policy) {
        case (.pinned(let leaf), .pinned(let otherLeaf)): return leaf == otherLeaf && isSameBehindFront(of: other)
        case (.certified(let host), .certified(let otherHost)): return host == otherHost && isSameBehindFront(of: other)
        case (.pinned, _), (.certified, _), (.sameAddress, _), (.lan, _), (.tailnet, _), (.tunnel, _):
            return policy.isPlain == other.policy.isPlain && fingerprint != nil && fingerprint == other.fingerprint
        }
    }

    /// Indicates whether another pairing, whose gateway shows the same certificate, is not with another one behind the same
    /// front.
    private func isSameBehindFront(of other: PairedTerms) -> Bool {
        if let told = fingerprintToTell, let otherTold = other.fingerprintToTell { return told == otherTold }
        return endpoints.contains { other.endpoints.hasSite(of: $0) }
    }

    /// Indicates whether a message to the gateway of another pairing, sent by the trust of that one, may reach the gateway
    /// of this one.
    package func mayBeReached(as other: PairedTerms) -> Bool {
        guard dialect == other.dialect else { return false }
        switch (policy, other.policy) {
        // Their endpoints do not count: many gateways share the addresses of a tunnel.
        case (.pinned, .pinned), (.certified, .certified): return isSameGateway(as: other)
        case (.pinned, _), (.certified, _), (.sameAddress, _), (.lan, _), (.tailnet, _), (.tunnel, _): break
        }
        // Without TLS, nothing proves which gateway is reached, so any that may be it counts.
        if let fingerprint, fingerprint == other.fingerprint { return true }
        return endpoints.contains { other.endpoints.contains($0) }
    }
}
