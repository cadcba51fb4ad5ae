internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import PairingStore

extension PairingMachine {
    /// An event: what was learned, or what the user wants.
    enum Event: Hashable, Sendable {
        case began
        case resolved([Endpoint])
        case identified(PairingOffer)
        case confirmed(PairingConsent)
        case secretGiven(SecretAnswer)
        case granted(PairingGrant)
        case refused(SessionRefusal)
        /// The connection failed; for people, why.
        case notReached(String)
        case retryDue
        case stored(PairingID)
        /// A step that cannot be done again has failed.
        case failed(PairingError)
        case cancelled
    }

    /// An action to run. Of those that lead to an event, there is one at a time.
    enum Action: Hashable, Sendable {
        /// Leads to `resolved` or `failed`.
        case resolve
        /// Leads to `identified` or `failed`.
        case identify([Endpoint])
        /// Leads to `granted`, `refused`, `notReached` or `failed`.
        case pair(PairingAttempt)
        /// Leads to `retryDue` after this time.
        case retrySoon(Duration)
        /// Leads to `retryDue` after the time that is left between two questions for an approval, at least after this one.
        case retrySeldom(atLeast: Duration)
        /// Leads to `stored` or `failed`.
        case store(PairingGrant, PairingAttempt)
        /// Gives up what was granted, since it could not be kept. As well as can be; leads to nothing.
        case withdraw(PairingGrant, PairingAttempt)
        /// Tells the map.
        case report([BotMapEvent])
        /// Ends the action that runs, whatever it is.
        case stop
    }
}

/// All that a request to be paired consists of, with the trust that the user has consented to.
struct PairingAttempt: Hashable, Sendable {
    let offer: PairingOffer
    let policy: TrustPolicy
    let bots: BotSelection

    /// The same as the user called them, for a gateway that tells of its bots only now.
    var botNames: [String] = []

    /// The credential, in OpenClaw's dialect.
    var credential = SessionCredential.none

    /// The one-time token, in the OptaPlus dialect.
    var pairingToken: Secret?
}

extension PairingAttempt {
    /// Indicates whether this device can give back what the gateway grants.
    var canBeTakenBack: Bool { offer.dialect == .optaplus }

    /// The bots that are wanted of those that the gateway turns out to have.
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

/// All that a gateway has granted.
struct PairingGrant: Hashable, Sendable {
    /// A token, and the bots that it opens; none for all of the gateway's.
    struct Token: Hashable, Sendable {
        let bots: [BotID]
        let secret: Secret
        let scopes: [String]
    }

    /// The bots that this device is paired with now.
    let bots: [BotDescription]

    let tokens: [Token]
}
