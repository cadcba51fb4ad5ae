public import GatewayProtocol

/// The decision whether a secret may be sent over a connection.
public enum TrustDecision: Hashable, Sendable {
    /// It may.
    case allowed

    /// It may not: without TLS, the gateway is not where it was. The user is shown it, and asked.
    case moved(MoveReason)

    /// It may not: the peer shows another certificate than the pinned one.
    case changedLeaf(found: LeafFingerprint)

    /// It may not, whatever the user says.
    case refused(TrustRefusal)

    /// Indicates whether the secret may be sent.
    public var isAllowed: Bool { self == .allowed }
}

/// The difference between where a gateway without TLS was at pairing, and where it is now.
public enum MoveReason: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Another address or port.
    case address = "it has another address than at pairing"

    /// Another prefix of addresses.
    case prefix = "this network has other addresses than the one of pairing"

    /// Another default router.
    case router = "this network has another router than the one of pairing"

    /// Another machine at the same address.
    case machine = "another machine has its address"

    /// The network could not be told from others, so that it counts as another one.
    case unknownNetwork = "it is not known whether this is the network of pairing"

    /// A sentence for people.
    public var description: String { rawValue }
}

/// The reason why no consent lets a secret over a connection.
public enum TrustRefusal: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The pairing is with TLS, and the connection is without.
    case notTLS = "it was paired with TLS, and answers without"

    /// The pairing is with a host name, and nobody vouches that this is the host.
    case notCertified = "nobody vouches that it is the host it was paired as"

    /// In clear, secrets stay in the user's own networks.
    case publicAddress = "a token is sent in clear to no address outside of local networks"

    /// A sentence for people.
    public var description: String { rawValue }
}
