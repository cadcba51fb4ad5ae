public import DNSSD
public import GatewayProtocol

/// The decisions about a pairing, which Trust makes.
extension StoredPairing {
    /// The part of it by which they are made.
    package var terms: PairedTerms {
        PairedTerms(trust, dialect, fingerprint: fingerprint, endpoints: endpoints, remoteURL: remoteURL)
    }

    /// The fingerprint that a peer has to tell on a connection, before a secret goes over it; `nil` when the gateway
    /// told none at pairing, or its dialect has no question for it.
    public var fingerprintToTell: GatewayFingerprint? { terms.fingerprintToTell }

    /// Indicates whether an endpoint that shows the certificate of the pairing is this gateway's, rather than that of
    /// another one behind the same front.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - fingerprint: The fingerprint that was told there; `nil` if none was.
    public func isPlace(_ endpoint: Endpoint, telling fingerprint: GatewayFingerprint?) -> Bool {
        terms.isPlace(endpoint, telling: fingerprint)
    }

    /// The place of a pairing that trusts any other place of its network, too; `nil` for all others.
    public var place: Endpoint? { terms.place }

    /// Indicates whether an endpoint is another one than the place of the pairing, of a gateway without TLS that is
    /// trusted anywhere in its network: whoever answers there under its fingerprint gets its tokens, and is shown.
    public func isElsewhere(_ endpoint: Endpoint) -> Bool { terms.isElsewhere(endpoint) }

    /// Records that the gateway was verified at an endpoint, which comes first from then on, but after the ``place``.
    public mutating func noteVerified(at endpoint: Endpoint) {
        guard endpoints.first != endpoint else { return }
        endpoints = Array(terms.endpoints(verifiedAt: endpoint).prefix(StoreLimits.endpoints))
    }
}
