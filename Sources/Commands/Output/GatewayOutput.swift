internal import GatewayProtocol

/// The details that a service advertises of its gateway, in JSON.
struct GatewayOutput: Encodable, Hashable {
    let fingerprint: ByteText?
    let name: String
    let bots: Int?
    let version: Int?

    /// The values that could not be used, described for people.
    let problems: [String]

    init(_ advertisement: GatewayAdvertisement) {
        self.fingerprint = advertisement.fingerprint.map { ByteText(bytes: $0.bytes) }
        self.name = advertisement.name
        self.bots = advertisement.bots
        self.version = advertisement.version
        self.problems = advertisement.problems.map { "\($0)" }
    }

    private enum CodingKeys: String, CodingKey {
        case fingerprint, name, bots, version, problems
    }

    // By hand, so that what is absent is `null` and the shape is always the same.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(fingerprint, forKey: .fingerprint)
        try container.encode(name, forKey: .name)
        try container.encode(bots, forKey: .bots)
        try container.encode(version, forKey: .version)
        try container.encode(problems, forKey: .problems)
    }
}
