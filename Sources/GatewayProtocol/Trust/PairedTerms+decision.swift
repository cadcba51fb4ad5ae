package import DNSSD

/// The decision whether the token of a pairing may be sent over a connection.
extension PairedTerms {
    /// Decides whether the token may be sent over a connection. It is called before every such sending, with the terms of that
    /// moment.
    ///
    /// - Parameters:
    ///   - shown: The proof that the peer has given in the handshake of this very connection.
    ///   - endpoint: The address and port that the connection goes to.
    ///   - network: The network through which the endpoint is reached now; `nil` when that is unknown.
    ///   - host: The host whose name has led there; `nil` where the endpoint was sought itself.
    ///   - isNear: Indicates whether it is on this network: not known from a DNS zone alone, and not at the end of a tunnel.
    ///   - isTyped: Indicates whether the user has typed the token for this session, and wants it sent in clear.
    package func decision(
        _ shown: TrustAttempt.Shown,
        at endpoint: Endpoint,
        in network: NetworkObservation?,
        soughtAs host: String?,
        isNear: Bool,
        isTyped: Bool
    ) -> TrustDecision {
        var policy = policy
        // The remote URL of a pairing has a proof of its own.
        if let host, policy != .certified(host: host) {
            guard remoteURL.flatMap(GatewayURL.init)?.host == host else { return .refused(.notCertified) }
            policy = .certified(host: host)
        }
        // One token that opens all of a gateway goes to no other place than the one that the user has named.
        if case .lan = policy, dialect.hasOneToken { return .refused(.oneTokenInClear) }
        guard dialect.isPairedWith(overTLS: !policy.isPlain) || isTyped else { return .refused(.oneTokenInClear) }
        if policy.isPlain, !dialect.maySendItsToken(inClearTo: endpoint.address) { return .refused(.publicAddress) }
        if isBehindFrontElsewhere(endpoint, policy) { return .moved(.port) }
        // An endpoint that is known only from a DNS zone gets none unencrypted, unless the user has consented to it.
        if policy.isPlain, !isNear, !endpoints.contains(endpoint) { return .refused(.publicAddress) }
        return policy.decision(
            for: TrustAttempt(
                shown: shown,
                endpoint: endpoint,
                knownEndpoints: endpoints,
                network: policy.isPlain ? network : nil
            )
        )
    }

    /// Indicates whether an endpoint is another place than those of a gateway that has one token for all devices, and is
    /// known by the certificate of its front alone: its token follows that to no other port or path, unless the user has
    /// named it.
    private func isBehindFrontElsewhere(_ endpoint: Endpoint, _ policy: TrustPolicy) -> Bool {
        guard dialect.hasOneToken, case .pinned = policy else { return false }
        let isNamed = remoteURL.flatMap(GatewayURL.init)?.isSameSite(as: endpoint) == true
        return !isNamed && !endpoints.hasSite(of: endpoint)
    }

    /// Indicates whether the words in which a peer refuses the token are those of another gateway: at a place where the pairing
    /// was never connected, they say something about that place. Behind the same front, there is a gateway that does not know
    /// the pairing, or hangs up on its token; and a tunnel may lead to another gateway, too.
    package static func isOfAnother(_ refusal: SessionRefusal, wasConnectedThere: Bool) -> Bool {
        !wasConnectedThere && (refusal.endsCredential || refusal.reason == .hungUp)
    }
}
