internal import DNSSD
package import GatewayProtocol
package import Pairing

/// The reply to the question of a pairing, as somebody sends it. A value: it decides whether it is an answer.
package struct PairingReply: Hashable, Sendable {
    /// The number of the question that it replies to.
    package let question: Int

    /// The agreement, or the refusal.
    package var agrees: Bool?

    /// The way to trust a gateway without TLS.
    package var trust: PlainTrust?

    /// The digits of the certificate that was shown, where the user compared them.
    package var leaf: LeafFingerprint?

    /// The bots that are wanted, by identifier or name, in place of those of the beginning.
    package var bots: [String]?

    /// The secret that was asked for.
    package var secret: SecretAnswer?

    package init(question: Int) {
        self.question = question
    }

    /// The reason why a reply is no answer. Nothing was sent, and the question waits.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Returns the answer that it is to the question of a pairing.
    func answer(to pairing: OpenPairing) throws(Problem) -> PairingAnswer {
        guard let asked = pairing.question else {
            throw Problem(description: "expected the reply to a question, found a pairing that asks none at present")
        }
        guard question == asked else {
            throw Problem(
                description: "expected the reply to question \(asked), found one to question \(question): look at it"
            )
        }
        if agrees == false { return .cancel }
        switch pairing.step {
        case .finding, .pairing(.resolving), .pairing(.asking), .pairing(.pairing), .pairing(.approvalNeeded),
            .pairing(.notReady), .pairing(.storing), .pairing(.withdrawing), .pairing(.paired), .pairing(.failed),
            .pairing(.cancelled):
            throw Problem(description: "expected the reply to a question, found a pairing that asks none at present")
        case .fetching:
            try checkAgreement()
            return .confirm(PairingConsent())
        case .pairing(.confirming(let offer)):
            try checkAgreement()
            return .confirm(try consent(offer, pairing))
        case .pairing(.secretNeeded(let question)):
            return .secret(try secret(question))
        }
    }

    private func checkAgreement() throws(Problem) {
        guard secret == nil else {
            throw Problem(description: "expected an agreement, found a secret: it was not sent")
        }
        guard agrees == true else {
            throw Problem(description: "confirm: expected true, or false to give the pairing up, found none")
        }
    }

    private func consent(_ offer: PairingOffer, _ pairing: OpenPairing) throws(Problem) -> PairingConsent {
        if let leaf, leaf != offer.leaf {
            let shown = offer.leaf.map { "that the gateway shows \($0)" } ?? "a gateway without TLS"
            throw Problem(description: "leaf: expected the digits of its certificate, found \(shown). Nothing was sent")
        }
        if offer.needsTrustQuestion {
            guard let trust, offer.plainChoices.contains(trust) else {
                let choices = offer.plainChoices.map(\.rawValue).joined(separator: " or ")
                throw Problem(
                    description: "trust: it has no TLS, and cannot prove who it is: expected \(choices), found "
                        + (trust.map(\.rawValue) ?? "none")
                )
            }
        } else if trust != nil {
            throw Problem(description: "trust: expected none, since it has TLS or is paired, found one")
        }
        var consent = PairingConsent(plainTrust: trust, name: pairing.name)
        guard let wanted = bots ?? pairing.bots else { return consent }
        guard !offer.bots.isEmpty else {
            consent.bots = wanted.compactMap { BotID($0) }
            consent.botNames = wanted
            return consent
        }
        var chosen: [BotID] = []
        for text in wanted {
            let named = offer.bots.filter { $0.name == text }.map(\.id)
            let found = offer.bots.first { $0.id.text == text }.map { [$0.id] } ?? named
            guard found.count == 1 else {
                throw Problem(
                    description: "bots: expected bots of this gateway, found \(found.isEmpty ? "none" : "several") "
                        + "called \(DisplayText(text, limit: 64).quoted)"
                )
            }
            chosen += found
        }
        guard !chosen.isEmpty else { throw Problem(description: "bots: expected at least one, found none") }
        consent.bots = chosen
        return consent
    }

    private func secret(_ question: SecretQuestion) throws(Problem) -> SecretAnswer {
        let kinds = question.kinds.map(\.rawValue).joined(separator: " or ")
        guard let secret, question.kinds.contains(secret.kind), !secret.secret.isEmpty else {
            throw Problem(description: "expected a secret of kind \(kinds), found none")
        }
        switch question.rule.decision(for: secret.kind, sendsInClear: secret.sendsInClear) {
        case .allowed: return secret
        case .unproved: throw Problem(description: PairingError.unproved.message)
        case .inClear:
            throw Problem(
                description: "sendsInClear: it has no TLS, so that everybody on the way could read this secret, which "
                    + "opens all of the gateway: expected true, found none. Nothing was sent"
            )
        }
    }
}
