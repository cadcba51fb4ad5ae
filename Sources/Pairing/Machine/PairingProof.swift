/// The proof that a gateway which has answered is the one that the user means. A name or an address is none: anybody can
/// use it.
public enum PairingProof: String, Hashable, Sendable, CaseIterable {
    /// There is none.
    case unproved

    /// It has shown the certificate that a link or code of it names.
    case pinInLink

    /// It has shown the certificate whose digits the user gave.
    case leafGiven

    /// It has a certificate for the host that the user named, which the system trusts.
    case certified

    /// It has shown the certificate of the pairing with it.
    case pinnedBefore
}

/// The decision whether a secret may be sent at pairing.
public enum SecretDecision: Hashable, Sendable {
    /// It may be sent.
    case allowed

    /// It opens more than this device's own access, nobody has seen who would get it, and nothing proves who that is.
    case unproved

    /// It opens more than this device's own access, and everybody on the way could read it.
    case inClear
}

/// The rule by which a gateway gets secrets at pairing: what it has proved, and how the user has consented.
public struct SecretRule: Hashable, Sendable {
    /// The proof that it is the gateway that the user means.
    public let proof: PairingProof

    /// The way in which the user has consented.
    public let form: PairingConsent.Form

    /// Indicates whether the connection has no TLS.
    public let isPlain: Bool

    /// Creates a rule.
    public init(proof: PairingProof, form: PairingConsent.Form, isPlain: Bool) {
        self.proof = proof
        self.form = form
        self.isPlain = isPlain
    }

    /// Decides whether a secret may be sent.
    ///
    /// - Parameters:
    ///   - kind: The kind of secret.
    ///   - sendsInClear: The consent to send it without TLS.
    public func decision(for kind: SecretQuestion.Kind, sendsInClear: Bool) -> SecretDecision {
        guard kind.isShared else { return .allowed }
        if form == .inAdvance, proof == .unproved { return .unproved }
        return isPlain && !sendsInClear ? .inClear : .allowed
    }
}
