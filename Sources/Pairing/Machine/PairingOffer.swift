public import DNSSD
public import GatewayProtocol
public import Scanning

/// A gateway that has answered, as it is shown to the user before any secret is exchanged: who it claims to be, where
/// it is, and how it would be trusted. Names and bots come from the gateway, and are untrusted.
public struct PairingOffer: Hashable, Sendable {
    /// The row of the map.
    public let gatewayID: GatewayID

    /// Its name.
    public let name: String

    /// The dialect that it speaks.
    public let dialect: GatewayDialect

    /// The fingerprint that it answered with.
    public let fingerprint: GatewayFingerprint?

    /// Its bots, if it lists them before pairing.
    public let bots: [BotDescription]

    /// The address and port at which it answered.
    public let endpoint: Endpoint

    /// The certificate that it showed; `nil` without TLS.
    public let leaf: LeafFingerprint?

    /// The host name that the user gave for it; `nil` for an address.
    public let hostName: String?

    /// The host name for which the system trusts its certificate; `nil` where it does not.
    public let certifiedHost: String?

    /// The network through which it is reached, if it has no TLS.
    package let network: NetworkObservation?

    /// Indicates whether only a DNS zone leads to it.
    package internal(set) var isFromZoneAlone = false

    /// The existing pairing with it, if there is one, to which bots can be added.
    public private(set) var pairing: StoredPairing?

    /// The address outside of this network that is stored in the pairing. The token is sent there as well, with the
    /// certificate of the host as the only proof, so the address must be shown to the user.
    package let remoteURL: GatewayURL?

    /// The proof that it is the gateway that the user means.
    package internal(set) var proof: PairingProof

    /// Indicates whether it is at an address, and not behind a name, that the user gave or has paired with, and no other
    /// gateway is paired there.
    public internal(set) var isAtGivenAddress = false

    /// The paired gateway that it claims to be without the proof of that pairing; `nil` if there is none. Pairing with
    /// it fails then.
    package internal(set) var conflict: PairingConflict?

    /// Creates an offer; by default that of a gateway without TLS that lists no bots, that nothing proves, and with which
    /// there is no pairing.
    ///
    /// - Parameters:
    ///   - gatewayID: The row of the map.
    ///   - name: Its name.
    ///   - dialect: The dialect that it speaks.
    ///   - fingerprint: The fingerprint that it answered with.
    ///   - bots: Its bots, if it lists them before pairing.
    ///   - endpoint: The address, port and path at which it answered.
    ///   - leaf: The certificate that it showed; `nil` without TLS.
    ///   - hostName: The host name that the user gave for it.
    ///   - certifiedHost: The host name for which the system trusts its certificate.
    ///   - network: The network through which it is reached, if it has no TLS.
    ///   - pairing: The existing pairing with it.
    ///   - remoteURL: The address outside of this network that is stored in the pairing.
    ///   - proof: The proof that it is the gateway that the user means.
    package init(
        gatewayID: GatewayID,
        name: String,
        dialect: GatewayDialect,
        fingerprint: GatewayFingerprint? = nil,
        bots: [BotDescription] = [],
        endpoint: Endpoint,
        leaf: LeafFingerprint? = nil,
        hostName: String? = nil,
        certifiedHost: String? = nil,
        network: NetworkObservation? = nil,
        pairing: StoredPairing? = nil,
        remoteURL: GatewayURL? = nil,
        proof: PairingProof = .unproved
    ) {
        self.gatewayID = gatewayID
        self.name = name
        self.dialect = dialect
        self.fingerprint = fingerprint
        self.bots = bots
        self.endpoint = endpoint
        self.leaf = leaf
        self.hostName = hostName
        self.certifiedHost = certifiedHost
        self.network = network
        self.pairing = pairing
        self.remoteURL = remoteURL
        self.proof = proof
    }

    /// The same offer without the existing pairing with it: for what becomes a pairing of its own, which takes no trust
    /// from another one.
    var asNew: PairingOffer {
        var new = self
        new.pairing = nil
        return new
    }

    /// Indicates whether it has no TLS, so that nothing proves who it is.
    public var isPlain: Bool { leaf == nil && certifiedHost == nil }

    /// Indicates whether it is proved to be who it claims: its fingerprint is that of the certificate that it showed,
    /// or the system trusts its certificate. That it is the one which the user means is ``proof``.
    public var isProved: Bool {
        guard certifiedHost == nil else { return true }
        guard let leaf, let text = fingerprint?.text else { return false }
        return text.utf8.elementsEqual(leaf.description.utf8)
    }

    /// Indicates whether the user has to choose how to trust it, in addition to agreeing to pair.
    public var needsTrustQuestion: Bool { isPlain && pairing == nil }

    /// The ways to trust it without TLS that the network allows here, among which the user chooses; empty where nothing
    /// would distinguish it from another gateway at its address, as at the end of most tunnels. A gateway with one token for
    /// all devices is trusted at its address alone.
    public var plainChoices: [PlainTrust] {
        guard isPlain, let network else { return [] }
        return network.plainChoices(for: dialect, isFromZoneAlone: isFromZoneAlone)
    }

    /// Throws if there is no way to trust it here, so that there is nothing to ask the user.
    func checkCanBeTrusted() throws(PairingError) {
        guard !isPlain || dialect.maySendItsToken(inClearTo: endpoint.address) else { throw .oneTokenInClear }
        guard needsTrustQuestion else { return }
        switch PlainTrust.address.decision(for: dialect, in: network, isFromZoneAlone: isFromZoneAlone) {
        case .allowed, .otherwise, .noRouter, .unknownNode, .publicPlace: return
        case .unknownNetwork:
            throw PairingError(
                .unknownNetwork,
                "expected a network that can be told from others, found one whose router or machine is not known. "
                    + "A gateway without TLS cannot be paired with here"
            )
        case .zoneAlone:
            throw PairingError(
                .unknownNetwork,
                "expected TLS or a tailnet, found a gateway without TLS to which only a DNS zone leads: whoever writes the "
                    + "zone would get its token. Give its address if you know it to be the gateway's"
            )
        case .indistinct:
            throw PairingError(
                .unknownNetwork,
                "expected a network that can be told from others, found one without routers and hardware addresses, such as "
                    + "a tunnel, where the same address may be anybody's tomorrow. Without TLS a gateway can be paired with "
                    + "only over a tailnet of this host or a WireGuard interface of the kernel"
            )
        }
    }

    /// Returns the connection to it as input for the trust decision.
    func attempt(knownEndpoints: [Endpoint]) -> TrustAttempt {
        TrustAttempt(
            shown: TrustAttempt.Shown(leaf, certifiedFor: certifiedHost),
            endpoint: endpoint,
            knownEndpoints: knownEndpoints,
            network: network
        )
    }

    /// Returns the policy that follows from a consent; throws if that policy does not allow the present connection.
    func policy(for consent: PairingConsent) throws(PairingError) -> TrustPolicy {
        let policy = try wantedPolicy(consent)
        // For a new pairing, the endpoint that the user consents to counts as known.
        let known = (pairing?.endpoints ?? []) + (pairing == nil ? [endpoint] : [])
        try PairingError.check(policy.decision(for: attempt(knownEndpoints: known)))
        return policy
    }

    private func wantedPolicy(_ consent: PairingConsent) throws(PairingError) -> TrustPolicy {
        if let pairing { return pairing.trust }
        if let certifiedHost { return .certified(host: certifiedHost) }
        if let leaf { return .pinned(leaf) }
        try checkCanBeTrusted()
        let choices = plainChoices.map(\.rawValue).joined(separator: " or ")
        guard let choice = consent.plainTrust else {
            throw PairingError(
                .trustNotChosen,
                "expected a choice how to trust a gateway without TLS, found none: \(choices)"
            )
        }
        switch choice.decision(for: dialect, in: network, isFromZoneAlone: isFromZoneAlone) {
        case .allowed(let policy): return policy
        case .noRouter:
            throw PairingError(
                .unknownNetwork,
                "expected a network with a default router, by which it can be told from others, found one without. "
                    + "Trust the gateway's address instead of all of this network"
            )
        case .otherwise, .unknownNetwork, .unknownNode, .indistinct, .zoneAlone, .publicPlace:
            throw PairingError(
                .unknownNetwork,
                "expected a way to trust it that this network allows, \(choices), found \(choice.rawValue)"
            )
        }
    }
}

/// The user's consent to pair with a gateway that was shown.
public struct PairingConsent: Hashable, Sendable {
    /// A way in which the user has consented.
    package enum Form: String, Hashable, Sendable, CaseIterable {
        /// The user has seen the gateway with its address and certificate.
        case seen
        /// The user has consented before anybody knew what would answer.
        case inAdvance
    }

    /// The identifiers of the bots that are wanted; `nil` for all bots.
    public var bots: [BotID]?

    /// The wanted bots as the user named them, for a gateway that lists its bots only once the device is paired. Each
    /// is the identifier of a bot there, or else the name of one or more.
    public var botNames: [String]

    /// The way to trust it, if it has no TLS. There is no default.
    public var plainTrust: PlainTrust?

    /// Indicates whether the user has consented before anybody knew what would answer. Secrets go then only to a gateway that
    /// is proved to be the one that the user means.
    public var isInAdvance: Bool

    /// The way in which the user has consented; see ``SecretRule``.
    package var form: Form { isInAdvance ? .inAdvance : .seen }

    /// The kinds of secrets that are ready for when the gateway asks: if all of them are such that it may not have, it
    /// is not asked for anything.
    public var secrets: Set<SecretQuestion.Kind>

    /// The name under which the user wants to have the pairing; `nil` for the gateway's own.
    public var name: String?

    /// Creates a consent to what the user has seen; by default for all bots. Without a choice in `plainTrust`, a gateway
    /// without TLS cannot be paired with, unless there is a pairing with it.
    public init(
        bots: [BotID]? = nil,
        botNames: [String] = [],
        plainTrust: PlainTrust? = nil,
        isInAdvance: Bool = false,
        secrets: Set<SecretQuestion.Kind> = [],
        name: String? = nil
    ) {
        self.bots = bots
        self.botNames = botNames
        self.plainTrust = plainTrust
        self.isInAdvance = isInAdvance
        self.secrets = secrets
        self.name = name
    }
}
