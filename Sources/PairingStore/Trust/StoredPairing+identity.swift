public import GatewayProtocol

extension StoredPairing {
    /// The fingerprint that a peer has to tell on a connection, before a secret goes over it; `nil` when the gateway
    /// told none at pairing, or its dialect has no question for it.
    ///
    /// Neither a certificate nor an address replaces the question: behind one front, which shows the certificate and
    /// has the address, there may be several gateways, and without TLS anybody may have the address by now.
    public var fingerprintToTell: GatewayFingerprint? {
        switch dialect {
        case .optaplus: fingerprint
        case .openClaw, .bridge, .openAgents, .clawline: nil
        }
    }

    /// Decides by the fingerprint that a peer has told on this very connection whether a secret may be sent over it.
    public func decision(told fingerprint: GatewayFingerprint?) -> TrustDecision {
        guard let expected = fingerprintToTell, fingerprint != expected else { return .allowed }
        return .moved(.gateway)
    }
}
