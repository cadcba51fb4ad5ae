internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import PairingStore

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
        /// The connection failed, for this reason, which is a text for people.
        case notReached(String)
        case retryDue
        case stored(PairingID)
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
        /// Reports these events to the map.
        case report([BotMapEvent])
        /// Ends the running action, whatever it is.
        case stop
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
}

extension PairingAttempt {
    /// Indicates whether this device can withdraw what the gateway grants.
    var canBeTakenBack: Bool { offer.dialect == .optaplus }

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
