package import GatewayProtocol

/// All that a gateway knows: who it is, its bots, and who is paired. A value: it answers, and does nothing.
package struct GatewayState: Hashable, Sendable {
    /// The most pairings that are kept, so that strangers cannot fill the disk.
    package static let maximumPairings = 1_024

    /// The version of the protocol that is spoken.
    package static let protocolVersion = 3

    /// The identifier that the gateway gives itself.
    package var fingerprint: GatewayFingerprint

    /// Its key and certificate, once it has been run with TLS.
    package var certificate: GatewayCertificate?

    /// Its name for people.
    package var name: String

    /// Its bots, at most ``DiscoverPayload/maximumBots``.
    package var bots: [BotDescription]

    /// The pairings, which say which device may talk to which bot, the oldest first.
    package private(set) var pairings: [GatewayPairing]

    /// Indicates whether a device needs a one-time code to pair. It is not kept.
    package var demandsPairingCode = false

    /// The one-time code that is good now. It is not kept.
    package var pairingCode: PairingCode?

    /// The devices of an OpenClaw gateway.
    package var openClaw = OpenClawState()

    /// The fingerprint that it says it has, when it is to lie. It is not kept.
    package var claimedFingerprint: GatewayFingerprint?

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

    /// The fingerprint that peers are told.
    var saidFingerprint: GatewayFingerprint { claimedFingerprint ?? fingerprint }

    /// The pairing that a token proves; `nil` when it is unknown or revoked, or its bot is no more.
    func pairing(token: String) -> GatewayPairing? {
        pairings.first { pairing in
            pairing.has(token: token) && (pairing.botID == nil || bots.contains { $0.id == pairing.botID })
        }
    }

    /// Lets a device talk to these bots, each with a new token; what it had for them before is worth nothing after.
    ///
    /// - Returns: The new pairings and the tokens that ended; `nil` when there are too many pairings already.
    mutating func pair(
        deviceID: String,
        deviceName: String,
        bots: [BotID?],
        using generator: inout some RandomNumberGenerator
    ) -> (added: [GatewayPairing], ended: Set<String>)? {
        let ended = pairings.filter { $0.deviceID == deviceID && bots.contains($0.botID) }
        guard pairings.count - ended.count + bots.count <= Self.maximumPairings else { return nil }
        let added = bots.map { bot in
            let token = Self.makeToken(using: &generator)
            return GatewayPairing(deviceID: deviceID, deviceName: deviceName, botID: bot, token: token)
        }
        pairings.removeAll { ended.contains($0) }
        pairings += added
        return (added, Set(ended.map(\.token)))
    }

    /// Ends pairings of a device.
    ///
    /// - Returns: Those that ended.
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

    /// 256 random bits as 64 hexadecimal digits.
    private static func makeToken(using generator: inout some RandomNumberGenerator) -> String {
        (0..<32).map { _ in
            let byte = UInt8.random(in: 0...255, using: &generator)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
