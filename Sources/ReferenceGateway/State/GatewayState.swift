internal import DNSSD
package import GatewayProtocol

/// The state of a gateway: its identity, its bots, and its pairings. A value: it returns actions, and carries none out.
package struct GatewayState: Hashable, Sendable {
    /// The maximum number of pairings, so that strangers cannot fill the disk.
    package static let maximumPairings = 1_024

    /// The version of the protocol that is spoken.
    package static let protocolVersion = 3

    /// The identifier that the gateway gives itself.
    package var fingerprint: GatewayFingerprint

    /// Its key and certificate, once it has been run with TLS.
    package var certificate: GatewayCertificate?

    /// Its name for people.
    package var name: String

    /// Its bots, at most ``/GatewayProtocol/DiscoverPayload/maximumBots``.
    package var bots: [BotDescription]

    /// The pairings, which say which device may talk to which bot, the oldest first.
    package private(set) var pairings: [GatewayPairing]

    /// Indicates whether a device needs a one-time code to pair. Not stored.
    package var demandsPairingCode = false

    /// The one-time code that is valid now. Not stored.
    package var pairingCode: PairingCode?

    /// The link to this gateway, once it listens; `nil` if there is none. Not stored.
    package var link: GatewayLink?

    /// The devices of an OpenClaw gateway.
    package var openClaw = OpenClawState()

    /// The devices of a Clawline provider. Not stored.
    package var clawline = ClawlineState()

    /// The devices that wait at a Clawdbot bridge. Not stored.
    package var bridge = BridgeState()

    /// The one token of an OpenAgents gateway, which every device needs; with `nil` no token is right. Not stored.
    package var openAgentsToken: Secret?

    /// The false fingerprint that it claims, if it is to misbehave. Not stored.
    package var falseFingerprint: GatewayFingerprint?

    package init(
        fingerprint: GatewayFingerprint,
        name: String,
        bots: [BotDescription],
        pairings: [GatewayPairing] = []
    ) {
        self.fingerprint = fingerprint
        self.name = name
        self.bots = bots
        self.pairings = pairings
    }

    /// The fingerprint that is sent to peers.
    var reportedFingerprint: GatewayFingerprint { falseFingerprint ?? fingerprint }

    /// Returns the pairing that a token proves; `nil` if the token is unknown or revoked, or its bot no longer exists.
    func pairing(token: String) -> GatewayPairing? {
        pairings.first { pairing in
            pairing.has(token: token) && (pairing.botID == nil || bots.contains { $0.id == pairing.botID })
        }
    }

    /// Pairs a device with these bots, each with a new token; its former tokens for them end.
    ///
    /// - Parameters:
    ///   - claims: What the tokens say before their secret part; `nil` if they say nothing.
    ///   - userID: The account to which the device belongs, where there are accounts.
    /// - Returns: The new pairings and the tokens that ended; `nil` when there are too many pairings already.
    mutating func pair(
        deviceID: String,
        deviceName: String,
        bots: [BotID?],
        claims: String? = nil,
        userID: String? = nil,
        using generator: inout some RandomNumberGenerator
    ) -> (added: [GatewayPairing], ended: Set<String>)? {
        let ended = pairings.filter { $0.deviceID == deviceID && bots.contains($0.botID) }
        guard pairings.count - ended.count + bots.count <= Self.maximumPairings else { return nil }
        let added = bots.map { bot in
            let secret = Self.makeToken(using: &generator)
            let token = claims.map { "\($0).\(secret)" } ?? secret
            return GatewayPairing(deviceID: deviceID, deviceName: deviceName, botID: bot, userID: userID, token: token)
        }
        pairings.removeAll { ended.contains($0) }
        pairings += added
        return (added, Set(ended.map(\.token)))
    }

    /// Ends pairings of a device.
    ///
    /// - Returns: The pairings that ended.
    mutating func unpair(deviceID: String, bots: BotSelection) -> [GatewayPairing] {
        let ended = pairings.filter { pairing in
            guard pairing.deviceID == deviceID else { return false }
            switch bots {
            case .all: return true
            case .some(let ids): return pairing.botID.map(ids.contains) ?? false
            }
        }
        pairings.removeAll { ended.contains($0) }
        return ended
    }

    /// Returns 256 random bits as 64 hexadecimal digits.
    private static func makeToken(using generator: inout some RandomNumberGenerator) -> String {
        (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }.hexadecimal
    }
}
