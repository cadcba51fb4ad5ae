public import GatewayProtocol

/// The decision whether a secret may be sent over a connection.
public enum TrustDecision: Hashable, Sendable {
    /// The secret may be sent.
    case allowed

    /// The secret may not be sent: the gateway is not where it was. The user is shown this, and asked.
    case moved(MoveReason)

    /// The secret may not be sent: the peer shows another certificate than the pinned one.
    case changedLeaf(found: LeafFingerprint)

    /// The secret may not be sent, whatever the user says.
    case refused(TrustRefusal)

    /// Indicates whether the secret may be sent.
    public var isAllowed: Bool { self == .allowed }
}

/// The difference between where and what a gateway was at pairing, and what is found now.
public enum MoveReason: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Another address or port.
    case address = "it has another address than at pairing"

    /// Other ports or paths, while nothing answers at its own: behind one front, each may be another gateway.
    case port = "its certificate is shown at several other ports or paths, each of which may be another gateway"

    /// Another prefix of addresses.
    case prefix = "this network has other addresses than the one of pairing"

    /// Another default router.
    case router = "this network has another router than the one of pairing"

    /// Another machine at the same address.
    case machine = "another machine has its address"

    /// Another gateway, as it says itself on the connection: its fingerprint is not that of the pairing.
    case gateway = "another gateway answers in its place"

    /// The network could not be distinguished from others, so it counts as another one.
    case unknownNetwork = "it is not known whether this is the network of pairing"

    /// A sentence for people.
    public var description: String { rawValue }
}

/// The reason why a secret may not be sent over a connection, even with the user's consent.
public enum TrustRefusal: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The pairing uses TLS, and the connection does not.
    case notTLS = "it was paired with TLS, and answers without"

    /// The pairing is bound to a host name, and the connection has no trusted certificate for it.
    case notCertified = "nobody vouches that it is the host it was paired as"

    /// The connection is unencrypted, and leads out of the user's own networks.
    case publicAddress = "a token is sent in clear to no address outside of local networks"

    /// A sentence for people.
    public var description: String { rawValue }
}
