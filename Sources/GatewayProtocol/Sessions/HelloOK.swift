/// `hello-ok`: the payload of the response to `connect`, with which a session begins.
///
/// Read leniently, since versions add keys. All of it is unverified; it holds a secret.
package struct HelloOK: Hashable, Sendable {
    /// The time between two ticks that is assumed where the gateway sends none.
    package static let defaultTick: Duration = .seconds(30)

    /// The protocol version of the session, where the gateway sends it.
    package let protocolVersion: Int?

    /// The version of the gateway's program, such as `2026.7.2`, at most 128 bytes. Untrusted.
    package let serverVersion: String?

    /// The device token that the gateway sends along: the same each time, until it is rotated.
    package let deviceToken: Secret?

    /// The scopes of the token, at most 32; `nil` where the gateway does not list them.
    package let scopes: [String]?

    /// The time between two ticks, 1 s to 10 min: a gateway without a tick for twice as long counts as silent.
    package let tick: Duration

    /// The bots that the snapshot names, without emoji: available even where the scopes do not suffice for listing
    /// them.
    package let bots: [BotDescription]

    /// The greeting of a dialect in which a session begins without one.
    package init() {
        protocolVersion = nil
        serverVersion = nil
        deviceToken = nil
        scopes = nil
        tick = Self.defaultTick
        bots = []
    }

    /// Reads the payload.
    ///
    /// - Throws: ``GatewayMessageError`` when the payload is not a `hello-ok`.
    package init(json: JSONValue?) throws(GatewayMessageError) {
        let fields = try JSONFields(json, of: "the payload")
        guard try fields.string("type") == "hello-ok" else {
            throw GatewayMessageError(.unknownMessage, "the payload is no hello-ok")
        }
        self.protocolVersion = fields["protocol"]?.int
        self.serverVersion = fields["server"]?["version"]?.string.map { $0.cut(toBytes: 128) }
        let token = fields["auth"]?["deviceToken"]?.secret
        self.deviceToken = token.flatMap { (1...4_096).contains($0.count) ? $0 : nil }
        self.scopes = fields["auth"]?["scopes"]?.array.map { list in
            list.prefix(32).compactMap { $0.string?.cut(toBytes: 128) }
        }
        let tick = fields["policy"]?["tickIntervalMs"]?.int.map { Duration.milliseconds(min(max($0, 1_000), 600_000)) }
        self.tick = tick ?? Self.defaultTick
        self.bots = AgentList(health: fields["snapshot"]?["health"]).bots
    }

    /// The signature version to send to this gateway from now on: the third where the gateway is known to understand
    /// it.
    package var signature: OpenClawSignature.Version {
        if let protocolVersion, protocolVersion >= 4 { return .v3 }
        let parts = (serverVersion ?? "").split(separator: ".").prefix(2).compactMap { Int($0) }
        guard parts.count == 2 else { return .v2 }
        return (parts[0], parts[1]) >= (2_026, 3) ? .v3 : .v2
    }
}
