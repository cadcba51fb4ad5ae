public import GatewayProtocol

/// The user's answer to a step of pairing.
public enum PairingAnswer: Hashable, Sendable {
    /// To ``PairingState/confirming(_:)``: pair with it.
    case confirm(PairingConsent)
    /// To ``PairingState/secretNeeded(_:)``.
    case secret(SecretAnswer)
    /// To any step: give the pairing up.
    case cancel
}

/// The answer to a ``SecretQuestion``.
public struct SecretAnswer: Hashable, Sendable {
    /// The kind of secret, one of ``SecretQuestion/kinds``.
    public var kind: SecretQuestion.Kind

    /// The secret.
    public var secret: Secret

    /// The consent to send a token or password of the whole gateway without TLS, so that everybody on the way can read
    /// it. It is given each time, and never stored.
    public var sendsInClear: Bool

    /// Creates an answer; by default without the consent to send a token or password of the whole gateway without TLS.
    public init(_ kind: SecretQuestion.Kind, _ secret: Secret, sendsInClear: Bool = false) {
        self.kind = kind
        self.secret = secret
        self.sendsInClear = sendsInClear
    }
}
