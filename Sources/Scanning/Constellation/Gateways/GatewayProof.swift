/// The strength of the proof that an endpoint is the gateway that it claims to be, weakest first.
package enum GatewayProof: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// It only claims to be that gateway.
    case unproved

    /// It has the address that it had at pairing: a weak proof, to which the user must consent.
    case sameAddress

    /// The system's trust store vouches for its TLS certificate, for the host name that it was paired under.
    case certified

    /// Its TLS leaf certificate is the pinned one.
    case pinnedLeaf

    /// It knows the shared token without having been sent it.
    case token

    /// Indicates whether no other gateway can give this proof.
    package var isConclusive: Bool { self >= .certified }

    /// Orders the weaker proof before the stronger one.
    package static func < (lhs: GatewayProof, rhs: GatewayProof) -> Bool { lhs.rawValue < rhs.rawValue }
}
