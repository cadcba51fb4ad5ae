package import DNSSD

/// The part of a pairing by which is decided where its secrets may go, and who is its gateway. All rules about that are here in
/// Trust: whoever shows a gateway, seeks a session with it, pairs with it anew or ends its pairing asks for a decision.
package struct PairedTerms: Hashable, Sendable {
    /// The proof that the gateway must give.
    package let policy: TrustPolicy

    /// The dialect that it speaks.
    package let dialect: GatewayDialect

    /// The fingerprint that it answered with when it was paired.
    package let fingerprint: GatewayFingerprint?

    /// The endpoints at which it was verified, the latest first, but that the ``place`` comes before all others.
    package let endpoints: [Endpoint]

    /// Its `wss://` address outside of this network, if it has one.
    package let remoteURL: String?

    /// Creates the terms of a pairing; by default of one without a fingerprint and without an address outside of this network.
    package init(
        _ policy: TrustPolicy,
        _ dialect: GatewayDialect,
        fingerprint: GatewayFingerprint? = nil,
        endpoints: [Endpoint],
        remoteURL: String? = nil
    ) {
        self.policy = policy
        self.dialect = dialect
        self.fingerprint = fingerprint
        self.endpoints = endpoints
        self.remoteURL = remoteURL
    }
}
