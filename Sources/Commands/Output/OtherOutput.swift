internal import Constellation
internal import DNSSD
internal import GatewayProtocol

/// Something that is no gateway, though it is advertised as one or was typed in, in JSON.
struct OtherOutput: Encodable, Hashable {
    /// The identifier of its row in the map.
    let id: String
    let name: String

    /// The reason why it is no gateway, for people.
    let reason: String

    /// The first bytes that it sent; only where it sent something.
    let firstBytes: ByteText?
    let paths: [GatewayPathOutput]
    let services: [InstanceOutput]

    init(_ other: Gateway, services: [Service]) {
        self.id = other.id.text
        self.name = other.name
        self.reason = OtherRow(other, services: services).reason
        self.paths = other.paths.map(GatewayPathOutput.init)
        self.services = other.services.map(InstanceOutput.init)
        self.firstBytes =
            other.paths.lazy.compactMap { path in
                if case .somethingElse(let answer) = path.outcome { ByteText(bytes: answer.firstBytes) } else { nil }
            }
            .first
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, reason, firstBytes, paths, services
    }

    // By hand, so that what is absent is `null` and the shape is always the same.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(reason, forKey: .reason)
        try container.encode(firstBytes, forKey: .firstBytes)
        try container.encode(paths, forKey: .paths)
        try container.encode(services, forKey: .services)
    }
}
