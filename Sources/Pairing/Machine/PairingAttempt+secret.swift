internal import GatewayProtocol

extension PairingAttempt {
    /// The outcome of an answer to the question for a secret.
    enum SecretOutcome: Hashable, Sendable {
        /// The secret is sent with the next request.
        case taken

        /// It is not, and the question is asked again with this message.
        case again(String)

        /// The gateway has not proved what it would have to for this secret.
        case unproved
    }

    /// Takes the secret that the user gave, if the gateway may have it.
    ///
    /// An impostor or an eavesdropper would get access to the whole gateway with it, and not only this device's access.
    ///
    /// - Parameters:
    ///   - answer: The secret, which is not empty.
    ///   - question: The question that it answers.
    mutating func take(_ answer: SecretAnswer, for question: SecretQuestion) -> SecretOutcome {
        switch question.rule.decision(for: answer.kind, sendsInClear: answer.sendsInClear) {
        case .allowed: break
        case .unproved: return .unproved
        case .inClear:
            return .again(
                "expected the consent to send this secret in clear, found none. Everybody on the way could read it, and use "
                    + "all of the gateway."
                    + (offer.dialect.hasOneToken ? "" : " A setup code is the better choice")
            )
        }
        setupCode = nil
        switch answer.kind {
        case .sharedToken: credential = .sharedToken(answer.secret)
        case .password: credential = .password(answer.secret)
        case .pairingToken: pairingToken = answer.secret
        case .setupCode:
            do throws(SetupCode.Problem) {
                let code = try SetupCode(parsing: answer.secret)
                guard question.rule.decision(for: code) == .allowed else { return .unproved }
                credential = .bootstrapToken(code.bootstrapToken)
                setupCode = code
            } catch {
                return .again("expected a setup code, found something else: \(error)")
            }
        }
        return .taken
    }
}
