public import DNSSD
public import GatewayProtocol

/// Everything that this device stores of one gateway that it is paired with, except the secrets.
public struct StoredPairing: Hashable, Sendable, Identifiable {
    /// The identifier of the pairing.
    public let id: PairingID

    /// The identifier of its row in the map when it was paired, as `GatewayID` prints it.
    public var gatewayID: String

    /// The fingerprint that it answered with when it was paired.
    public var fingerprint: GatewayFingerprint?

    /// Its name at that time, or the one that the user has given it since. Untrusted.
    public var name: String

    /// Its name at that time, where the user has given it another one since: it is still known by that.
    public internal(set) var formerName: String?

    /// The name that it gives itself, if it was paired under another one: it is known by that, too. Untrusted.
    public var ownName: String?

    /// The dialect that it speaks.
    public var dialect: GatewayDialect

    /// The program with which its operator removes devices, as far as its last demand for an approval told.
    package var operatorTool: SessionRefusal.OperatorTool

    /// The proof that it must give before it gets a token.
    package var trust: TrustPolicy

    /// The endpoints at which it was last verified, the latest first; at most ``StoreLimits/endpoints``. The interface
    /// of a link-local endpoint is stored by name, and gets its present number when the pairing is read.
    public var endpoints: [Endpoint]

    /// The path of its WebSocket at pairing, such as `/`. Each of the ``endpoints`` has one of its own.
    public var resource: String

    /// Its `wss://` address outside this network, if it has one.
    public var remoteURL: String?

    /// The ``remoteURL`` at which a session was established last; `nil` if none ever was. What is said there of the token
    /// is said by this gateway, and not by another one to which a tunnel leads.
    public var connectedURL: String?

    /// Indicates whether it is to be connected whenever it can be.
    public var connectsAutomatically: Bool

    /// The time at which the identity of this device was taken to another one, in milliseconds since 1970; `nil` while it is
    /// this one's.
    package internal(set) var deviceMovedAt: Int?

    /// The time of pairing, in milliseconds since 1970.
    public var pairedAt: Int

    /// The time at which its gateway last answered in a session that is over, or at which the present session began, in
    /// milliseconds since 1970.
    public var lastConnected: Int?

    /// Its bots that this device is paired with.
    public var bots: [StoredBot]

    /// The credentials that open it, without their secrets.
    public var credentials: [StoredCredential]

    /// Creates a pairing. Nothing is checked here: ``StoreLimits`` apply when it is stored.
    ///
    /// - Parameters:
    ///   - id: The identifier; by default a new one.
    ///   - gatewayID: The identifier of its row in the map, as `GatewayID` prints it.
    ///   - fingerprint: The fingerprint that it answered with.
    ///   - name: Its name.
    ///   - ownName: The name that it gives itself, if that is another one.
    ///   - dialect: The dialect that it speaks.
    ///   - operatorTool: The program with which its operator removes devices.
    ///   - trust: The proof that it must give before it gets a token.
    ///   - endpoints: The endpoints at which it was verified, the latest first.
    ///   - resource: The path of its WebSocket at pairing; by default that of the first endpoint.
    ///   - remoteURL: Its `wss://` address outside this network.
    ///   - connectedURL: The `wss://` address outside this network at which a session was established last.
    ///   - connectsAutomatically: Indicates whether it is to be connected whenever it can be.
    ///   - pairedAt: The time of pairing, in milliseconds since 1970.
    ///   - lastConnected: The time at which a session was last known to be connected, in milliseconds since 1970.
    ///   - bots: Its bots that this device is paired with.
    ///   - credentials: The credentials that open it; ``PairingStore/insert(_:secrets:)`` takes a secret for each.
    package init(
        id: PairingID = PairingID(),
        gatewayID: String,
        fingerprint: GatewayFingerprint? = nil,
        name: String,
        ownName: String? = nil,
        dialect: GatewayDialect,
        operatorTool: SessionRefusal.OperatorTool = .openClaw,
        trust: TrustPolicy,
        endpoints: [Endpoint],
        resource: String? = nil,
        remoteURL: String? = nil,
        connectedURL: String? = nil,
        connectsAutomatically: Bool = true,
        pairedAt: Int,
        lastConnected: Int? = nil,
        bots: [StoredBot] = [],
        credentials: [StoredCredential] = []
    ) {
        self.id = id
        self.gatewayID = gatewayID
        self.fingerprint = fingerprint
        self.name = name
        self.ownName = ownName
        self.dialect = dialect
        self.operatorTool = operatorTool
        self.trust = trust
        self.endpoints = endpoints
        self.resource = resource ?? endpoints.first?.resource ?? "/"
        self.remoteURL = remoteURL
        self.connectedURL = connectedURL
        self.connectsAutomatically = connectsAutomatically
        self.pairedAt = pairedAt
        self.lastConnected = lastConnected
        self.bots = bots
        self.credentials = credentials
    }
}

extension StoredPairing {
    /// All its names: the one that is shown, the one that it had before the user gave it that, and its own.
    package var names: [String] { [name] + [formerName, ownName].compactMap(\.self) }
}

/// A bot that this device is paired with, as it is stored.
public struct StoredBot: Hashable, Sendable, Identifiable {
    /// The identifier that the gateway gives the bot.
    public let id: BotID

    /// Its name as it was last reported. Untrusted.
    public var name: String

    /// Its emoji at that time. Untrusted.
    public var emoji: String?

    /// Indicates whether the user has archived it: it is kept, but not shown among the others.
    public var isArchived: Bool

    /// The colour that an older configuration gave it, as `#rrggbb`.
    public var accentColor: String?

    /// Creates a bot; by default one that is not archived. Its texts are truncated when it is stored.
    public init(
        id: BotID,
        name: String,
        emoji: String? = nil,
        isArchived: Bool = false,
        accentColor: String? = nil
    ) {
        self.accentColor = accentColor
        self.id = id
        self.name = name
        self.emoji = emoji
        self.isArchived = isArchived
    }
}

/// A credential of a pairing. Its secret is stored separately, and sealed: see ``PairingStore``.
public struct StoredCredential: Hashable, Sendable, Identifiable {
    /// The identifier of the credential.
    public let id: CredentialID

    /// The bots that it opens; empty for all bots of the gateway.
    public var bots: [BotID]

    /// The number of its present secret: grows by one with each new one, and is a part of what the secret is sealed
    /// with.
    public var generation: Int

    /// The time at which this generation was received, in milliseconds since 1970.
    public var createdAt: Int

    /// The identifier of the device that it was issued to.
    public var deviceID: String

    /// The scopes that came with it, in OpenClaw's dialect.
    public var scopes: [String]

    /// Creates a credential. Nothing is checked here: ``StoreLimits`` apply when it is stored.
    ///
    /// - Parameters:
    ///   - id: The identifier; by default a new one.
    ///   - bots: The bots that it opens; empty for all bots of the gateway.
    ///   - generation: The number of its present secret, at least 0; by default 1, for the first one.
    ///   - createdAt: The time at which this generation was received, in milliseconds since 1970.
    ///   - deviceID: The identifier of the device that it was issued to.
    ///   - scopes: The scopes that came with it, in OpenClaw's dialect.
    public init(
        id: CredentialID = CredentialID(),
        bots: [BotID],
        generation: Int = 1,
        createdAt: Int,
        deviceID: String,
        scopes: [String] = []
    ) {
        self.id = id
        self.bots = bots
        self.generation = generation
        self.createdAt = createdAt
        self.deviceID = deviceID
        self.scopes = scopes
    }
}
