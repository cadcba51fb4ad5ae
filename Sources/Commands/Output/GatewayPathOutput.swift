internal import Constellation
internal import DNSSD
internal import GatewayProtocol

/// One endpoint of a gateway, or of something else, in JSON.
struct GatewayPathOutput: Encodable, Hashable {
    let address: String
    let port: UInt16

    /// Both, as `probe` takes it: `[fe80::1%eth0]:3000`.
    let endpoint: String

    /// `local` or `remote`.
    let reach: String
    let isManual: Bool

    /// `gateway`, `somethingElse`, `nothing`, or `notAsked`.
    let finding: String

    /// The finding in words: the dialect, what it looks like, or why nothing answered.
    let summary: String
    let liveness: String?
    let latencyMs: Double?
    let leafSha256: String?

    /// Indicates whether it answers as another gateway than the rest.
    let contradicts: Bool

    init(_ path: GatewayPath) {
        self.address = path.endpoint.address.description
        self.port = path.endpoint.port
        self.endpoint = path.endpoint.description
        self.reach = path.reach.rawValue
        self.isManual = path.isManual
        self.liveness = path.liveness?.rawValue
        self.latencyMs = path.roundTrip.map(TimeText.millisecondNumber)
        self.leafSha256 = path.outcome?.identity?.leaf?.description
        self.contradicts = path.contradicts
        switch path.outcome {
        case .gateway(let identity): (finding, summary) = ("gateway", identity.dialect.rawValue)
        case .somethingElse(let answer): (finding, summary) = ("somethingElse", answer.summary)
        case .nothing(let reason): (finding, summary) = ("nothing", "\(reason)")
        case nil: (finding, summary) = ("notAsked", path.notAskedText)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case address, port, endpoint, reach, isTypedIn, finding, summary, liveness, latencyMs, leafSha256, contradicts
    }

    // By hand, so that what is absent is `null` and the shape is always the same.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(address, forKey: .address)
        try container.encode(port, forKey: .port)
        try container.encode(endpoint, forKey: .endpoint)
        try container.encode(reach, forKey: .reach)
        try container.encode(isManual, forKey: .isTypedIn)
        try container.encode(finding, forKey: .finding)
        try container.encode(summary, forKey: .summary)
        try container.encode(liveness, forKey: .liveness)
        try container.encode(latencyMs, forKey: .latencyMs)
        try container.encode(leafSha256, forKey: .leafSha256)
        try container.encode(contradicts, forKey: .contradicts)
    }
}
