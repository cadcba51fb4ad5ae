internal import GatewayProtocol
internal import Scanning

/// The part of the machine that asks the user: for consent to the gateway that was found, and for secrets.
extension PairingMachine {
    mutating func identified(_ offer: PairingOffer) -> [Action] {
        do throws(PairingError) {
            try target.check(offer)
        } catch {
            return fail(error)
        }
        state = .confirming(offer)
        return []
    }

    mutating func confirmed(_ consent: PairingConsent, _ offer: PairingOffer) -> [Action] {
        let bots = BotSelection(consent.bots)
        let chosen: [BotID]
        switch bots {
        case .all: chosen = offer.bots.map(\.id)
        case .some(let ids):
            let known = Set(offer.bots.map(\.id))
            // OpenClaw gateways list their bots only after pairing.
            guard !ids.isEmpty, known.isEmpty || ids.contains(where: known.contains) else {
                return fail(PairingError(.unknownBots, "expected bots of this gateway, found none of them there"))
            }
            chosen = ids.filter(known.contains)
        }
        do throws(PairingError) {
            let policy = try offer.policy(for: consent)
            let attempt = PairingAttempt(
                offer: offer,
                policy: policy,
                bots: bots,
                botNames: consent.botNames,
                pairingToken: target.pairingToken,
                endpoints: target.endpoints(showing: offer.leaf),
                form: consent.form,
                rights: target.rights,
                claimedName: target.claimedName,
                name: consent.name
            )
            // A gateway that may have none of the secrets at hand is not even asked whether it wants them.
            let atHand = secrets(for: offer.dialect, consent)
            let mayHaveNone = atHand.allSatisfy { attempt.rule.decision(for: $0, sendsInClear: true) == .unproved }
            if !atHand.isEmpty, mayHaveNone { return fail(.unproved) }
            self.attempt = attempt
            state = .pairing(offer)
            let paired = Set(offer.pairing?.bots.map(\.id) ?? [])
            reported = chosen.filter { !paired.contains($0) }.map { BotKey(gateway: offer.gatewayID, bot: $0) }
            return report(.pairing) + run(.pair(attempt))
        } catch {
            return fail(error)
        }
    }

    /// Returns the kinds of secrets at hand that gateways of a dialect ask for.
    private func secrets(for dialect: GatewayDialect, _ consent: PairingConsent) -> Set<SecretQuestion.Kind> {
        switch dialect {
        case .optaplus: consent.secrets.contains(.pairingToken) || target.pairingToken != nil ? [.pairingToken] : []
        case .openClaw: consent.secrets.subtracting([.pairingToken])
        case .openAgents: consent.secrets.intersection([.sharedToken])
        case .bridge, .clawline: []
        }
    }

    mutating func given(_ answer: SecretAnswer, _ question: SecretQuestion) -> [Action] {
        guard question.kinds.contains(answer.kind), var attempt else { return [] }
        func again(_ message: String) -> PairingState {
            .secretNeeded(SecretQuestion(kinds: question.kinds, message: message, rule: question.rule))
        }
        guard !answer.secret.isEmpty else {
            state = again("expected a secret, found none")
            return []
        }
        switch attempt.take(answer, for: question) {
        case .taken: break
        case .unproved: return fail(.unproved)
        case .again(let message):
            state = again(message)
            return []
        }
        guard secrets < Self.mostSecrets else {
            return fail(.tooManySecrets(secrets))
        }
        secrets += 1
        self.attempt = attempt
        state = .pairing(attempt.offer)
        return run(.pair(attempt))
    }
}
