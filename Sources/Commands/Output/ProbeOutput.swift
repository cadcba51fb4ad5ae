internal import DNSSD
internal import GatewayProtocol

/// A gateway probe in JSON. The text in it is exact but for the results of the steps: what comes from the network is
/// not cleaned.
struct ProbeOutput: Encodable, Hashable {
    /// A bot of the gateway.
    struct Bot: Encodable, Hashable {
        let id: String
        let name: String
        let emoji: String?
        let status: String?
    }

    /// The details that a gateway of the design reports about itself.
    struct Gateway: Encodable, Hashable {
        let fingerprint: ByteText?
        let name: String?
        let pairingRequired: Bool?
        let bots: [Bot]
        let botCount: Int
    }

    /// One step of the sequence.
    struct Step: Encodable, Hashable {
        let step: String
        let endpoint: String
        let question: String
        let result: String
        let elapsedMs: Double
        let succeeded: Bool
    }

    /// `design`, `openclaw`, `bridge`, `openagents` or `clawline`; `null` when no gateway answered.
    let dialect: String?

    /// The finding, in words.
    let summary: String

    /// The endpoint that answered.
    let endpoint: String?

    /// The certificate of the peer.
    let leafSha256: String?

    /// The evidence by which an OpenClaw gateway was recognised.
    let evidence: String?

    /// The first bytes sent by something that is no gateway.
    let firstBytes: ByteText?
    let gateway: Gateway?
    let elapsedMs: Double
    let steps: [Step]

    init(_ report: GatewayProbeReport) {
        self.dialect = report.finding.dialect?.rawValue
        self.summary = report.finding.summary
        self.endpoint = report.path?.endpoint.description
        self.leafSha256 = report.path?.leaf?.description
        self.elapsedMs = TimeText.millisecondNumber(report.elapsed)
        self.steps = report.steps.map { step in
            Step(
                step: step.kind.rawValue,
                endpoint: step.endpoint.description,
                question: step.question,
                result: step.result.text,
                elapsedMs: TimeText.millisecondNumber(step.elapsed),
                succeeded: step.succeeded
            )
        }
        switch report.finding {
        case .design(let payload):
            self.gateway = Gateway(
                fingerprint: payload.fingerprint.map { ByteText(bytes: $0.bytes) },
                name: payload.name,
                pairingRequired: payload.pairingRequired,
                bots: payload.bots.map { Bot(id: $0.id.text, name: $0.name, emoji: $0.emoji, status: $0.status) },
                botCount: payload.botCount
            )
            (self.evidence, self.firstBytes) = (nil, nil)
        case .openClaw(let gateway):
            (self.gateway, self.evidence, self.firstBytes) = (nil, gateway.evidence.rawValue, nil)
        case .other(let answer):
            (self.gateway, self.evidence, self.firstBytes) = (nil, nil, ByteText(bytes: answer.firstBytes))
        case .bridge, .openAgents, .clawline, .nothing:
            (self.gateway, self.evidence, self.firstBytes) = (nil, nil, nil)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case dialect, summary, endpoint, leafSha256, evidence, firstBytes, gateway, elapsedMs, steps
    }

    // By hand, so that what is absent is `null` and the shape is always the same.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(dialect, forKey: .dialect)
        try container.encode(summary, forKey: .summary)
        try container.encode(endpoint, forKey: .endpoint)
        try container.encode(leafSha256, forKey: .leafSha256)
        try container.encode(evidence, forKey: .evidence)
        try container.encode(firstBytes, forKey: .firstBytes)
        try container.encode(gateway, forKey: .gateway)
        try container.encode(elapsedMs, forKey: .elapsedMs)
        try container.encode(steps, forKey: .steps)
    }
}
