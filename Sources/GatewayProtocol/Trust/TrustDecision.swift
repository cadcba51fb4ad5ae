/// The decision whether a secret may be sent over a connection.
package enum TrustDecision: Hashable, Sendable {
    /// The secret may be sent.
    case allowed

    /// The secret may not be sent: the gateway is not where it was. The user is shown this, and asked.
    case moved(MoveReason)

    /// The secret may not be sent: the peer shows another certificate than the pinned one.
    case changedLeaf(found: LeafFingerprint)

    /// The secret may not be sent, whatever the user says.
    case refused(TrustRefusal)

    /// Indicates whether the secret may be sent.
    package var isAllowed: Bool { self == .allowed }
}

/// The reason why a secret may not be sent over a connection, even with the user's consent.
package enum TrustRefusal: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The pairing uses TLS, and the connection does not.
    case notTLS = "it was paired with TLS, and answers without"

    /// The pairing is bound to a host name, and the connection has no trusted certificate for it.
    case notCertified = "nobody vouches that it is the host it was paired as"

    /// The connection is unencrypted, and leads out of the user's own networks.
    case publicAddress = "a token is sent in clear to no address outside of local networks"

    /// The gateway has one token for all devices, and the connection is unencrypted.
    case oneTokenInClear = "its one token, which opens all of it, is sent without TLS only when you type it"

    /// A sentence for people.
    package var description: String { rawValue }
}
