internal import DNSSD
internal import GatewayProtocol
internal import Scanning

extension PairingMachine {
    /// An event: the result of an action, or a decision of the user.
    enum Event: Hashable, Sendable {
        case began
        case resolved([Endpoint])
        case identified(PairingOffer)
        case confirmed(PairingConsent)
        case secretGiven(SecretAnswer)
        case granted(PairingGrant)
        case refused(SessionRefusal)
        /// The request waits for an approval, and is still under way.
        case waiting(SessionRefusal)
        /// The connection failed, for this reason, which is a text for people.
        case notReached(String)
        case retryDue
        case stored(PairingID)
        /// The bots and tokens that were granted beside those that are kept were withdrawn, or could not be.
        case withdrawn
        /// A step that cannot be repeated has failed.
        case failed(PairingError)
        case cancelled
    }

    /// An action to run. Only one action that leads to an event runs at a time.
    enum Action: Hashable, Sendable {
        /// Leads to `resolved` or `failed`.
        case resolve
        /// Leads to `identified` or `failed`.
        case identify([Endpoint])
        /// Leads to `granted`, `refused`, `notReached` or `failed`.
        case pair(PairingAttempt)
        /// Leads to `retryDue` after a time, or as soon as the user wants after the least time.
        case retry(after: Duration, atLeast: Duration)
        /// Leads to `stored` or `failed`.
        case store(PairingGrant, PairingAttempt)
        /// Withdraws a grant that cannot be kept, if possible. Leads to no event.
        case withdraw(PairingGrant, PairingAttempt)
        /// Withdraws what was granted beside what is kept, if possible. Leads to `withdrawn`.
        case withdrawSurplus(PairingGrant, PairingAttempt)
        /// Reports these events to the map.
        case report([BotMapEvent])
        /// Ends the running action, whatever it is.
        case stop
    }
}

extension PairingMachine.Event {
    /// Creates the event for an answer.
    init(_ answer: PairingAnswer) {
        switch answer {
        case .confirm(let consent): self = .confirmed(consent)
        case .secret(let kind, let secret, let sendsInClear):
            self = .secretGiven(SecretAnswer(kind, secret, sendsInClear: sendsInClear))
        case .cancel: self = .cancelled
        }
    }

    /// Indicates whether the gateway has granted something, or the grant has been stored.
    var isGrant: Bool {
        switch self {
        case .granted, .stored: true
        default: false
        }
    }
}

/// Everything that a pairing request consists of, with the trust that the user has consented to.
struct PairingAttempt: Hashable, Sendable {
    let offer: PairingOffer
    let policy: TrustPolicy
    let bots: BotSelection

    /// The wanted bots as the user named them, for a gateway that lists its bots only once the device is paired.
    var botNames: [String] = []

    /// The credential, in OpenClaw's dialect.
    var credential = SessionCredential.none

    /// The one-time token, in the OptaPlus dialect.
    var pairingToken: Secret?

    /// The setup code that the credential is from. The gateway has to be where the code says.
    var setupCode: SetupCode?

    /// The endpoints of the target, if all of them have shown the certificate of the offer.
    var endpoints: [Endpoint] = []

    /// The way in which the user has consented.
    var form = PairingConsent.Form.seen

    /// The program with which the gateway's operator approves and removes devices; `nil` before it has asked for an
    /// approval.
    var operatorTool: SessionRefusal.OperatorTool?

    /// The rights that this device asks for.
    var rights = DeviceRights.member

    /// The name under which this device asks a Clawline provider; `nil` for its own.
    var claimedName: String?

    /// The name that the user gives the pairing; `nil` for the gateway's own.
    var name: String?

    /// The rule that says which secrets the gateway may have.
    var rule: SecretRule {
        SecretRule(
            proof: offer.proof,
            form: form,
            isPlain: offer.isPlain,
            isAtGivenAddress: offer.isAtGivenAddress
        )
    }
}

extension PairingAttempt {
    /// Indicates whether this device can withdraw what the gateway grants.
    var canBeTakenBack: Bool { offer.dialect.letsDevicesLeave }

    /// Returns those of the gateway's bots that the user wants.
    func wanted(of bots: [BotDescription]) -> [BotDescription] {
        guard case .some(let ids) = self.bots else { return bots }
        let called = botNames.flatMap { name -> [BotID] in
            let rules: [(BotDescription) -> Bool] = [
                { $0.id.text == name }, { $0.name == name }, { $0.name.lowercased() == name.lowercased() },
            ]
            return rules.lazy.map { bots.filter($0).map(\.id) }.first { !$0.isEmpty } ?? []
        }
        let wanted = Set(ids + called)
        return bots.filter { wanted.contains($0.id) }
    }
}

/// Everything that a gateway has granted.
struct PairingGrant: Hashable, Sendable {
    /// A token, and the bots that it opens; no bots mean all of the gateway's.
    struct Token: Hashable, Sendable {
        let bots: [BotID]
        let secret: Secret
        let scopes: [String]
    }

    /// The bots that this device is paired with now.
    let bots: [BotDescription]

    let tokens: [Token]
}

extension PairingGrant {
    /// Returns what of the grant is kept, and the rest. Kept are the bots that an attempt has asked for, and those that
    /// were paired before, since the new token has ended their old one; nothing, if none of the former are granted. A
    /// token for bots of both kinds is kept for those that are.
    func parted(for attempt: PairingAttempt) -> (kept: PairingGrant, surplus: PairingGrant) {
        let asked = attempt.wanted(of: bots)
        guard !asked.isEmpty else { return (PairingGrant(bots: [], tokens: []), self) }
        let ids = Set(asked.map(\.id) + (attempt.offer.pairing?.bots.map(\.id) ?? []))
        let wanted = bots.filter { ids.contains($0.id) }
        // A token without bots opens all of them: OpenClaw's gateways have no others.
        let kept = tokens.compactMap { token -> Token? in
            let opened = token.bots.filter(ids.contains)
            guard token.bots.isEmpty || !opened.isEmpty else { return nil }
            return Token(bots: opened, secret: token.secret, scopes: token.scopes)
        }
        let surplus = bots.filter { !ids.contains($0.id) }
        let others = tokens.filter { !$0.bots.isEmpty && ids.isDisjoint(with: $0.bots) }
        return (PairingGrant(bots: wanted, tokens: kept), PairingGrant(bots: surplus, tokens: others))
    }
}
