/// `hello-ok`: the payload of the response to `connect`, with which a session begins.
///
/// Read leniently, since versions add keys. All of it is the gateway's word; it holds a secret.
public struct HelloOK: Hashable, Sendable {
    /// The tick that is reckoned with where none is told.
    public static let defaultTick: Duration = .seconds(30)

    /// The protocol of the session, where it is told.
    public let protocolVersion: Int?

    /// The version of the gateway's program, such as `2026.7.2`, at most 128 bytes. Untrusted.
    public let serverVersion: String?

    /// The methods that the gateway has, at most 1,024; empty where none are told.
    public let methods: Set<String>

    /// The device token that comes with it: the same one each time, until it is rotated.
    public let deviceToken: Secret?

    /// The scopes of the token, at most 32; `nil` where they are not told.
    public let scopes: [String]?

    /// The time between two ticks, 1 s to 10 min: after twice as long without one the gateway is silent.
    public let tick: Duration

    /// The bots that the snapshot names, without emoji: there also where the scopes are not enough to list them.
    public let bots: [BotDescription]

    /// Reads the payload.
    ///
    /// - Throws: ``GatewayMessageError`` when it is no `hello-ok`.
    public init(json: JSONValue?) throws(GatewayMessageError) {
        let fields = try JSONFields(json, of: "the payload")
        guard try fields.string("type") == "hello-ok" else {
            throw GatewayMessageError(.unknownMessage, "the payload is no hello-ok")
        }
        self.protocolVersion = fields["protocol"]?.int
        self.serverVersion = fields["server"]?["version"]?.string.map { $0.cut(toBytes: 128) }
        self.methods = Set((fields["features"]?["methods"]?.array ?? []).prefix(1_024).compactMap(\.string))
        let token = fields["auth"]?["deviceToken"]?.string
        self.deviceToken = token.flatMap { (1...4_096).contains($0.utf8.count) ? Secret($0) : nil }
        self.scopes = fields["auth"]?["scopes"]?.array.map { list in
            list.prefix(32).compactMap { $0.string?.cut(toBytes: 128) }
        }
        let tick = fields["policy"]?["tickIntervalMs"]?.int.map { Duration.milliseconds(min(max($0, 1_000), 600_000)) }
        self.tick = tick ?? Self.defaultTick
        self.bots = AgentList(health: fields["snapshot"]?["health"]).bots
    }

    /// The signature to send to this gateway from now on: the third version where it is known to be understood.
    public var signature: OpenClawSignature.Version {
        if let protocolVersion, protocolVersion >= 4 { return .v3 }
        let parts = (serverVersion ?? "").split(separator: ".").prefix(2).compactMap { Int($0) }
        guard parts.count == 2 else { return .v2 }
        return (parts[0], parts[1]) >= (2_026, 3) ? .v3 : .v2
    }
}
