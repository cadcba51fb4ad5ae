public import GatewayProtocol

/// The user's answer to a step of pairing.
public enum PairingAnswer: Hashable, Sendable {
    /// To ``PairingState/confirming(_:)``: pair with it.
    case confirm(PairingConsent)
    /// To ``PairingState/secretNeeded(_:)``: the secret, of one of the ``SecretQuestion/kinds``. `sendsInClear` is the consent
    /// to send a token or password of the whole gateway without TLS, so that everybody on the way can read it. It is given
    /// each time, and never stored.
    case secret(SecretQuestion.Kind, Secret, sendsInClear: Bool = false)
    /// To any step: give the pairing up.
    case cancel

    package static func secret(_ answer: SecretAnswer) -> PairingAnswer {
        .secret(answer.kind, answer.secret, sendsInClear: answer.sendsInClear)
    }
}

/// The answer to a ``SecretQuestion``.
package struct SecretAnswer: Hashable, Sendable {
    /// The kind of secret, one of ``SecretQuestion/kinds``.
    package var kind: SecretQuestion.Kind

    /// The secret.
    package var secret: Secret

    /// The consent of ``PairingAnswer/secret(_:_:sendsInClear:)``.
    package var sendsInClear: Bool

    /// Creates an answer; by default without the consent to send a token or password of the whole gateway without TLS.
    package init(_ kind: SecretQuestion.Kind, _ secret: Secret, sendsInClear: Bool = false) {
        self.kind = kind
        self.secret = secret
        self.sendsInClear = sendsInClear
    }
}
