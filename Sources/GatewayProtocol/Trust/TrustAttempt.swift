package import DNSSD

/// A connection over which a secret is about to be sent, by everything that indicates who may be at its other end.
package struct TrustAttempt: Hashable, Sendable {
    /// The proof that the peer has given in the handshake of this very connection.
    package enum Shown: Hashable, Sendable {
        /// TCP alone, which proves nothing.
        case plain

        /// TLS with this leaf certificate, which no authority has certified.
        case leaf(LeafFingerprint)

        /// TLS with a certificate for this host name that the system trusts.
        case certified(host: String, leaf: LeafFingerprint?)

        /// Returns the proof by a leaf certificate, if any, and by the host for which the system trusts it, if any.
        package init(_ leaf: LeafFingerprint?, certifiedFor host: String?) {
            self = host.map { .certified(host: $0, leaf: leaf) } ?? leaf.map(Shown.leaf) ?? .plain
        }
    }

    /// The proof that the peer has given.
    package let shown: Shown

    /// The address and port that the connection goes to.
    package let endpoint: Endpoint

    /// The endpoints at which the pairing was proved or consented to: its `StoredPairing.endpoints`.
    package let knownEndpoints: [Endpoint]

    /// The network through which the endpoint is reached now; `nil` when that is unknown. It matters only without TLS.
    package let network: NetworkObservation?

    /// Creates an attempt. Without known endpoints and a network, which is the default, only a policy with TLS can
    /// allow it.
    package init(
        shown: Shown,
        endpoint: Endpoint,
        knownEndpoints: [Endpoint] = [],
        network: NetworkObservation? = nil
    ) {
        self.shown = shown
        self.endpoint = endpoint
        self.knownEndpoints = knownEndpoints
        self.network = network
    }
}
