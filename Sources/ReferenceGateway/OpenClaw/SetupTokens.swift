internal import GatewayProtocol

/// The bootstrap tokens of setup codes, each valid for the first pairing of one device.
package struct SetupTokens: Hashable, Sendable {
    /// The time for which a token is valid, in milliseconds.
    package static let life = 600_000

    /// The maximum number of tokens that are valid at a time.
    private static let limit = 16

    private struct Token: Hashable {
        let secret: Secret
        let madeAt: Int
        /// The device that was the first to send the token; no other may use it.
        var deviceID: String?
    }

    private var tokens: [Token] = []

    package init() {}

    /// Makes a token.
    mutating func make(at time: GatewayTime, using generator: inout some RandomNumberGenerator) -> Secret {
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let secret = Secret(Base64.url.encode(bytes))
        tokens = tokens.suffix(Self.limit - 1) + [Token(secret: secret, madeAt: time.uptime)]
        return secret
    }

    /// Returns whether a token is valid for a device, and if so binds it to that device.
    mutating func admits(_ secret: Secret, from deviceID: String, at time: GatewayTime) -> Bool {
        tokens.removeAll { time.uptime - $0.madeAt > Self.life }
        guard let index = tokens.firstIndex(where: { $0.secret == secret }),
            tokens[index].deviceID ?? deviceID == deviceID
        else { return false }
        tokens[index].deviceID = deviceID
        return true
    }

    /// Uses a token up, since the device now has one of its own.
    mutating func spend(_ secret: Secret) { tokens.removeAll { $0.secret == secret } }
}
