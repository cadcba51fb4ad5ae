internal import Crypto
internal import FoundationEssentials
package import GatewayProtocol

/// The options an OpenClaw gateway is run with.
package struct OpenClawSettings: Hashable, Sendable {
    /// The secret that opens a gateway to devices that it does not know yet.
    package enum Authentication: Hashable, Sendable {
        /// None: for gateways that only their own host reaches.
        case none
        case token(Secret)
        case password(Secret)
    }

    /// The generation of gateways that it behaves as.
    package var era: OpenClawEra

    package var authentication: Authentication

    /// Indicates whether every device is approved at once, without an operator.
    package var approvesAll: Bool

    /// The time between two `tick` events, in milliseconds.
    package var tickInterval: Int

    package init(
        era: OpenClawEra = .july2026,
        authentication: Authentication = .none,
        approvesAll: Bool = false,
        tickInterval: Int = 30_000
    ) {
        self.era = era
        self.authentication = authentication
        self.approvesAll = approvesAll
        self.tickInterval = tickInterval
    }
}

/// The state of an OpenClaw gateway that concerns devices.
package struct OpenClawState: Hashable, Sendable {
    /// The options it is run with. Not stored.
    package var settings = OpenClawSettings()

    /// The seed of its own Ed25519 key, once a client has asked for the key.
    private var seed: Secret?

    /// The devices that are approved.
    package var devices = DeviceRegistry()

    /// The requests of devices that wait to be approved. Not stored.
    package var requests = PairingRequests()

    /// The tokens of the setup codes. Not stored.
    package var setupTokens = SetupTokens()

    /// The place where devices find the gateway, for setup codes.
    var url = ""

    /// Its certificate, for setup codes; `nil` without TLS.
    var leaf: LeafFingerprint?

    /// The uptime in milliseconds from which it admits clients; until then, it answers that it is starting. Not stored.
    package var readyAt = 0

    /// The failed attempts to authenticate. Not stored.
    package var rateLimit = RateLimit()

    package init() {}

    /// Returns the gateway's own public key, which is made at the first call.
    mutating func publicKey(using generator: inout some RandomNumberGenerator) -> [UInt8] {
        let seed = self.seed ?? Secret(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
        self.seed = seed
        let key = seed.withUnsafeBytes { try? Curve25519.Signing.PrivateKey(rawRepresentation: Array($0)) }
        return key.map { Array($0.publicKey.rawRepresentation) } ?? []
    }

    /// Makes a setup code.
    ///
    /// - Parameters:
    ///   - url: The place where a device finds the gateway. Without TLS, it is always limited.
    ///   - isLimited: Indicates whether it opens no rights of an admin.
    package mutating func makeSetupCode(
        url: String,
        isLimited: Bool = false,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) -> Secret {
        let isLimited = isLimited || !url.hasPrefix("wss://")
        let token = setupTokens.make(
            opening: settings.era.boundsSetupCodes ? SetupTokens.scopes(isLimited: isLimited) : nil,
            at: time,
            using: &generator
        )
        var fields: [String: JSONValue] = ["url": .string(url), "bootstrapToken": .secret(token)]
        // Older gateways leave the recognizing of the gateway to the user.
        if settings.era >= .july2026, let leaf { fields["tlsFingerprint"] = .string("\(leaf)") }
        return Secret(Base64.url.encode(JSONValue.object(fields).encoded))
    }

    // MARK: Storage

    /// The stored form. It holds secrets; `nil` while there is nothing to store.
    var json: JSONValue? {
        guard seed != nil || !devices.devices.isEmpty else { return nil }
        let seed = seed.map { $0.withUnsafeBytes { JSONValue.string(Base64.url.encode(Array($0))) } }
        return .object(["seed": seed ?? .null, "devices": devices.json])
    }

    /// Reads the stored form; `nil` if any part of it is not valid.
    init?(json: JSONValue) {
        guard let devices = DeviceRegistry(json: json["devices"] ?? .array([])) else { return nil }
        self.devices = devices
        guard let text = json["seed"]?.string else { return }
        guard let seed = Base64.url.decode(text), seed.count == 32 else { return nil }
        self.seed = Secret(bytes: seed)
    }
}
