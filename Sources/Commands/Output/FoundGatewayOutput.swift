internal import Constellation
internal import DNSSD
internal import GatewayProtocol

/// One gateway in JSON. The text in it is exact but for `problems`: what comes from the network is not cleaned.
struct FoundGatewayOutput: Encodable, Hashable {
    /// The known details of its certificate.
    struct TLS: Encodable, Hashable {
        let leafSha256: String
    }

    /// The identifier of its row in the map: it stays the same for as long as the row exists.
    let id: String
    let fingerprint: ByteText?
    let name: String

    /// `design`, `openclaw`, `bridge`, `openagents` or `clawline`; `null` for a paired one that is not here.
    let dialect: String?

    /// `answering`, `suspect` or `gone`; `null` while that is not known.
    let liveness: String?

    /// `floods` for what is suspect since it sends more than anybody has asked for; else `null`.
    let livenessReason: String?

    /// The time that its first path took to answer, in milliseconds.
    let latencyMs: Double?
    let bots: [BotOutput]

    /// The number of bots that it tells of, those that are not in `bots` included.
    let botCount: Int

    /// `null` when its first path has no TLS.
    let tls: TLS?
    let paths: [GatewayPathOutput]
    let services: [InstanceOutput]
    let flags: [String]

    /// The problems with its paths and advertisements, for people.
    let problems: [String]

    init(_ gateway: Gateway, services: [Service]) {
        self.id = gateway.id.text
        self.fingerprint = gateway.fingerprint.map { ByteText(bytes: $0.bytes) }
        self.name = gateway.name
        self.dialect = gateway.dialect?.rawValue
        self.liveness = gateway.liveness?.rawValue
        self.livenessReason = gateway.livenessReason
        self.latencyMs = gateway.roundTrip.map(TimeText.millisecondNumber)
        self.bots = gateway.bots.map(BotOutput.init)
        self.botCount = gateway.bots.count + gateway.botsLeftOut
        self.tls = gateway.outcome?.identity?.leaf.map { TLS(leafSha256: $0.description) }
        self.paths = gateway.paths.map(GatewayPathOutput.init)
        self.services = gateway.services.map(InstanceOutput.init)
        self.flags = gateway.flags.sorted().map(\.rawValue)
        self.problems = gateway.problems(of: services).map { DisplayText($0, limit: 160).text }
    }

    private enum CodingKeys: String, CodingKey {
        case id, fingerprint, name, dialect, liveness, livenessReason, latencyMs, bots, botCount, tls, paths, services,
            flags
        case problems
    }

    // By hand, so that what is absent is `null` and the shape is always the same.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(fingerprint, forKey: .fingerprint)
        try container.encode(name, forKey: .name)
        try container.encode(dialect, forKey: .dialect)
        try container.encode(liveness, forKey: .liveness)
        try container.encode(livenessReason, forKey: .livenessReason)
        try container.encode(latencyMs, forKey: .latencyMs)
        try container.encode(bots, forKey: .bots)
        try container.encode(botCount, forKey: .botCount)
        try container.encode(tls, forKey: .tls)
        try container.encode(paths, forKey: .paths)
        try container.encode(services, forKey: .services)
        try container.encode(flags, forKey: .flags)
        try container.encode(problems, forKey: .problems)
    }
}
