package import DNSSD

/// The identity of a paired gateway: what it has to tell, and which places are its own.
extension PairedTerms {
    /// The fingerprint that a peer has to tell on a connection, before a secret goes over it; `nil` when the gateway
    /// told none at pairing, or its dialect has no question for it.
    ///
    /// Neither a certificate nor an address replaces the question: behind one front, which shows the certificate and
    /// has the address, there may be several gateways, and without TLS anybody may have the address by now.
    package var fingerprintToTell: GatewayFingerprint? { dialect.tellsFingerprint ? fingerprint : nil }

    /// Decides by the fingerprint that a peer has told on this very connection whether a secret may be sent over it.
    package func decision(told fingerprint: GatewayFingerprint?) -> TrustDecision {
        Self.decision(told: fingerprint, wanted: fingerprintToTell)
    }

    /// Decides the same for whoever knows only the fingerprint that a peer has to tell; `nil` if it has not to.
    package static func decision(told fingerprint: GatewayFingerprint?, wanted: GatewayFingerprint?) -> TrustDecision {
        wanted == nil || fingerprint == wanted ? .allowed : .moved(.gateway)
    }

    /// Indicates whether an endpoint that shows the certificate of the pairing is this gateway's, rather than that of
    /// another one behind the same front: it tells its fingerprint or, where the dialect has no question for that, has a
    /// port and path at which it was verified.
    package func isPlace(_ endpoint: Endpoint, telling fingerprint: GatewayFingerprint?) -> Bool {
        if let expected = fingerprintToTell { return fingerprint == expected }
        return endpoints.hasSite(of: endpoint)
    }

    /// The place of a pairing that trusts any other place of its network, too; `nil` for all others.
    package var place: Endpoint? {
        guard case .lan = policy else { return nil }
        return endpoints.first
    }

    /// Indicates whether an endpoint is another one than the ``place``: whoever answers there under the fingerprint of the
    /// gateway gets its tokens, and is shown.
    package func isElsewhere(_ endpoint: Endpoint) -> Bool {
        place.map { !$0.mayBeSamePlace(as: endpoint) } ?? false
    }

    /// Returns the endpoints of the pairing after the gateway was verified at one, which comes first from then on. Only the
    /// ``place`` stays first: nothing proves that it is the same gateway at another one, and who answered once while the
    /// gateway was off would stay first for good.
    package func endpoints(verifiedAt endpoint: Endpoint) -> [Endpoint] {
        guard endpoints.first != endpoint else { return endpoints }
        let kept = place == nil ? 0 : 1
        return endpoints.prefix(kept) + [endpoint] + endpoints.dropFirst(kept).filter { $0 != endpoint }
    }

    /// Indicates whether a session may have been established at an endpoint by the trust that the pairing has now: the user
    /// may have narrowed it since to one address, and no other becomes a place of the pairing then.
    package func mayHaveVerified(_ endpoint: Endpoint) -> Bool {
        switch policy {
        case .pinned, .certified, .lan: true
        case .sameAddress, .tailnet, .tunnel: endpoints.hasPlace(endpoint)
        }
    }
}

extension Sequence<Endpoint> {
    /// Indicates whether one of the endpoints is a given one, whatever number its interface has by now: without TLS, networks
    /// are compared apart from that.
    func hasPlace(_ endpoint: Endpoint) -> Bool {
        let unscoped = endpoint.unscoped
        return contains { $0.unscoped == unscoped }
    }
}
