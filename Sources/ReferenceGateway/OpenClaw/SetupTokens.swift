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
        /// The scopes that it opens; `nil` for all.
        let scopes: Set<String>?
        /// The device that was the first to send the token; no other may use it.
        var deviceID: String?
    }

    private var tokens: [Token] = []

    package init() {}

    /// Returns the scopes that a code opens: never that of approving devices alone.
    static func scopes(isLimited: Bool) -> Set<String> {
        let limited: Set = ["operator.approvals", "operator.read", "operator.talk.secrets", "operator.write"]
        return isLimited ? limited : limited.union([OperatorScopes.admin])
    }

    /// Makes a token.
    ///
    /// - Parameter scopes: The scopes that it opens; `nil` for all.
    mutating func make(
        opening scopes: Set<String>?,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) -> Secret {
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let secret = Secret(Base64.url.encode(bytes))
        tokens = tokens.suffix(Self.limit - 1) + [Token(secret: secret, madeAt: time.uptime, scopes: scopes)]
        return secret
    }

    /// A verdict on a token.
    enum Verdict {
        case valid
        case invalid
        /// It opens fewer scopes than are asked for, and stays as good as it was.
        case opensLess
    }

    /// Checks a token that a device sent, and binds a valid one to that device.
    mutating func verdict(
        on secret: Secret,
        from deviceID: String,
        for scopes: [String],
        at time: GatewayTime
    ) -> Verdict {
        tokens.removeAll { time.uptime - $0.madeAt > Self.life }
        guard let index = tokens.firstIndex(where: { $0.secret == secret }),
            tokens[index].deviceID ?? deviceID == deviceID
        else { return .invalid }
        guard tokens[index].scopes?.isSuperset(of: scopes) != false else { return .opensLess }
        tokens[index].deviceID = deviceID
        return .valid
    }

    /// Uses a token up, since the device now has one of its own.
    mutating func spend(_ secret: Secret) { tokens.removeAll { $0.secret == secret } }
}
