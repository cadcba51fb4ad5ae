public import DNSSD
public import GatewayProtocol
package import Trust

extension StoredPairing {
    /// The fingerprint that a peer has to tell on a connection, before a secret goes over it; `nil` when the gateway
    /// told none at pairing, or its dialect has no question for it.
    ///
    /// Neither a certificate nor an address replaces the question: behind one front, which shows the certificate and
    /// has the address, there may be several gateways, and without TLS anybody may have the address by now.
    public var fingerprintToTell: GatewayFingerprint? {
        dialect.tellsFingerprint ? fingerprint : nil
    }

    /// Indicates whether an endpoint that shows the certificate of the pairing is this gateway's, rather than that of
    /// another one behind the same front: it tells its fingerprint or, where the dialect has no question for that, has a
    /// port and path at which it was verified.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - fingerprint: The fingerprint that was told there; `nil` if none was.
    public func isPlace(_ endpoint: Endpoint, telling fingerprint: GatewayFingerprint?) -> Bool {
        if let expected = fingerprintToTell { return fingerprint == expected }
        return endpoints.hasSite(of: endpoint)
    }

    /// The place of a pairing that trusts any other place of its network, too; `nil` for all others.
    public var place: Endpoint? {
        guard case .lan = trust else { return nil }
        return endpoints.first
    }

    /// Indicates whether an endpoint is another one than the place of the pairing, of a gateway without TLS that is
    /// trusted anywhere in its network: whoever answers there under its fingerprint gets its tokens, and is shown.
    public func isElsewhere(_ endpoint: Endpoint) -> Bool {
        place.map { !$0.mayBeSamePlace(as: endpoint) } ?? false
    }

    /// Records that the gateway was verified at an endpoint, which comes first from then on. Only the place of a pairing
    /// that trusts any address stays first: nothing proves that it is the same gateway at another one, and who answered
    /// once while the gateway was off would stay first for good.
    public mutating func noteVerified(at endpoint: Endpoint) {
        guard endpoints.first != endpoint else { return }
        let kept = place == nil ? 0 : 1
        let others = endpoints.dropFirst(kept).filter { $0 != endpoint }
        endpoints = Array((endpoints.prefix(kept) + [endpoint] + others).prefix(StoreLimits.endpoints))
    }

    /// Decides by the fingerprint that a peer has told on this very connection whether a secret may be sent over it.
    package func decision(told fingerprint: GatewayFingerprint?) -> TrustDecision {
        guard let expected = fingerprintToTell, fingerprint != expected else { return .allowed }
        return .moved(.gateway)
    }
}
