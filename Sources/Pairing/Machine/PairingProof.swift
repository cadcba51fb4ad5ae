package import GatewayProtocol

/// The proof that a gateway which has answered is the one that the user means. A name or an address is none: anybody can
/// use it.
package enum PairingProof: String, Hashable, Sendable, CaseIterable {
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
package enum SecretDecision: Hashable, Sendable {
    /// It may be sent.
    case allowed

    /// It opens more than this device's own access, nobody has seen who would get it, and nothing proves who that is.
    case unproved

    /// It opens more than this device's own access, and everybody on the way could read it.
    case inClear
}

/// The rule by which a gateway gets secrets at pairing: what it has proved, and how the user has consented.
///
/// Each kind of secret opens more than this device's own access: with a code, too, whoever gets it first can pair a
/// device of its own.
package struct SecretRule: Hashable, Sendable {
    /// The proof that it is the gateway that the user means.
    package let proof: PairingProof

    /// The way in which the user has consented.
    package let form: PairingConsent.Form

    /// Indicates whether the connection has no TLS.
    package let isPlain: Bool

    /// Indicates whether it is at an address, and not behind a name, that the user gave or has paired with. Without TLS
    /// there can be no other sign of who it is.
    package var isAtGivenAddress = false

    /// Decides whether a secret may be sent.
    ///
    /// A setup code names its gateway, and is decided about once it is known: ``decision(for:)``.
    ///
    /// - Parameters:
    ///   - kind: The kind of secret.
    ///   - sendsInClear: The consent to send it without TLS.
    package func decision(for kind: SecretQuestion.Kind, sendsInClear: Bool) -> SecretDecision {
        switch kind {
        case .sharedToken, .password:
            if form == .inAdvance, proof == .unproved { return .unproved }
            return isPlain && !sendsInClear ? .inClear : .allowed
        case .pairingToken:
            return form == .seen || proof != .unproved || isPlain && isAtGivenAddress ? .allowed : .unproved
        case .setupCode:
            return .allowed
        }
    }

    /// Decides whether the token of a setup code may be sent to a gateway at a place that the code names. Without a
    /// certificate in the code, a place with TLS, or one behind a host name, is no proof.
    package func decision(for code: SetupCode) -> SecretDecision {
        guard form == .inAdvance, proof == .unproved, code.leaf == nil else { return .allowed }
        return isPlain && code.urls.allSatisfy { $0.address != nil } ? .allowed : .unproved
    }
}
