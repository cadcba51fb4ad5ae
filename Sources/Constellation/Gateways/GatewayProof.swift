/// The strength of the proof that an endpoint is the gateway that it says it is, the weakest first.
public enum GatewayProof: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// It only says so.
    case unproved

    /// It has the address that it had at pairing: weak, and to be consented to.
    case sameAddress

    /// The system's trust store vouches for its TLS certificate, for the host name that it was paired under.
    case certified

    /// Its TLS leaf certificate is the pinned one.
    case pinnedLeaf

    /// It knows the shared token, without having been told.
    case token

    /// Indicates whether nobody else can be it.
    public var isConclusive: Bool { self >= .certified }

    public static func < (lhs: GatewayProof, rhs: GatewayProof) -> Bool { lhs.rawValue < rhs.rawValue }
}
