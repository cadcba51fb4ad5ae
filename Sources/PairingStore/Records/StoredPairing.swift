public import DNSSD
public import GatewayProtocol

/// All that this device keeps of one gateway it is paired with, but the secrets.
public struct StoredPairing: Hashable, Sendable, Identifiable {
    public let id: PairingID

    /// The identifier of its row in the map when it was paired, as `GatewayID` prints it.
    public var gatewayID: String

    /// The fingerprint that it answered with when it was paired.
    public var fingerprint: GatewayFingerprint?

    /// Its name then. Untrusted.
    public var name: String

    /// The way in which it speaks.
    public var dialect: GatewayDialect

    /// The proof that it must give before it gets a token.
    public var trust: TrustPolicy

    /// The endpoints at which it was proved last, the latest first; at most ``StoreLimits/endpoints``. The interface of a
    /// link-local one is kept by name, and numbered as it is when the pairing is read.
    public var endpoints: [Endpoint]

    /// The path of its WebSocket, such as `/`.
    public var resource: String

    /// Its `wss://` address outside this network, if it has one.
    public var remoteURL: String?

    /// Indicates whether it is to be connected whenever it can be.
    public var connectsAutomatically: Bool

    /// The time of pairing, in milliseconds since 1970.
    public var pairedAt: Int

    /// The time at which a session with it was last established, in milliseconds since 1970.
    public var lastConnected: Int?

    /// Its bots that this device is paired with.
    public var bots: [StoredBot]

    /// The credentials that open it, without their secrets.
    public var credentials: [StoredCredential]

    public init(
        id: PairingID = PairingID(),
        gatewayID: String,
        fingerprint: GatewayFingerprint? = nil,
        name: String,
        dialect: GatewayDialect,
        trust: TrustPolicy,
        endpoints: [Endpoint],
        resource: String = "/",
        remoteURL: String? = nil,
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
        self.dialect = dialect
        self.trust = trust
        self.endpoints = endpoints
        self.resource = resource
        self.remoteURL = remoteURL
        self.connectsAutomatically = connectsAutomatically
        self.pairedAt = pairedAt
        self.lastConnected = lastConnected
        self.bots = bots
        self.credentials = credentials
    }
}

/// A bot that this device is paired with, as it is remembered.
public struct StoredBot: Hashable, Sendable, Identifiable {
    public let id: BotID

    /// Its name when it was last told of. Untrusted.
    public var name: String

    /// Its emoji then. Untrusted.
    public var emoji: String?

    /// Indicates whether the user has put it away: it is kept, and not shown among the others.
    public var isArchived: Bool

    public init(id: BotID, name: String, emoji: String? = nil, isArchived: Bool = false) {
        self.id = id
        self.name = name
        self.emoji = emoji
        self.isArchived = isArchived
    }
}

/// A credential of a pairing. Its secret is apart, sealed: see ``PairingStore``.
public struct StoredCredential: Hashable, Sendable, Identifiable {
    public let id: CredentialID

    /// The bots that it opens; empty for all of the gateway's.
    public var bots: [BotID]

    /// Grows by one with each new secret; a part of what the secret is sealed with.
    public var generation: Int

    /// The time at which this generation came, in milliseconds since 1970.
    public var createdAt: Int

    /// The device identifier that it was given to.
    public var deviceID: String

    /// The scopes that came with it, in OpenClaw's dialect.
    public var scopes: [String]

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
