internal import DNSSD

/// One way by which a service was seen, in JSON.
struct PathOutput: Encodable, Hashable {
    let interface: String
    let family: String

    /// The address to connect to first, of those that were seen this way.
    let address: String?
    let port: UInt16?

    /// The source of the sighting: a backend, or `one-shot`, the questions of our own beside it.
    let source: String

    init(_ sighting: Sighting) {
        self.interface = sighting.path.interface.name
        self.family = sighting.path.family.rawValue
        self.address = sighting.addresses.min()?.description
        self.port = sighting.port
        self.source = sighting.source.rawValue
    }

    private enum CodingKeys: String, CodingKey {
        case interface, family, address, port, source
    }

    // By hand, so that what is absent is `null` and the shape is always the same.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(interface, forKey: .interface)
        try container.encode(family, forKey: .family)
        try container.encode(address, forKey: .address)
        try container.encode(port, forKey: .port)
        try container.encode(source, forKey: .source)
    }
}
