internal import DNSSD
internal import GatewayProtocol

/// One service in JSON. The text in it is exact: what comes from the network is not cleaned.
struct ServiceOutput: Encodable, Hashable {
    let instance: String
    let type: String
    let domain: String
    let host: String?
    let port: UInt16?
    let addresses: [String]
    let paths: [PathOutput]
    let txt: TXTOutput?
    let gateway: GatewayOutput
    let isOurs: Bool

    /// The reason why it is not resolved; there only when it is not.
    let unresolved: String?

    init(_ service: Service) {
        self.instance = service.instance.name
        self.type = service.instance.type.description
        self.domain = service.instance.domain
        self.host = service.host?.escaped
        self.port = service.port
        self.addresses = service.addresses.map(\.description)
        self.paths = service.paths.compactMap { service.sightings[$0] }.map(PathOutput.init)
        self.txt = service.txt.map(TXTOutput.init)
        self.gateway = GatewayOutput(
            GatewayAdvertisement(instance: service.instance, txt: service.txt ?? TXTRecord())
        )
        self.isOurs = service.isOurs
        self.unresolved = service.resolution.obstacle
    }

    private enum CodingKeys: String, CodingKey {
        case instance, type, domain, host, port, addresses, paths, txt, gateway, isOurs, unresolved
    }

    // By hand, so that what is absent is `null` and the shape is always the same.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(instance, forKey: .instance)
        try container.encode(type, forKey: .type)
        try container.encode(domain, forKey: .domain)
        try container.encode(host, forKey: .host)
        try container.encode(port, forKey: .port)
        try container.encode(addresses, forKey: .addresses)
        try container.encode(paths, forKey: .paths)
        try container.encode(txt, forKey: .txt)
        try container.encode(gateway, forKey: .gateway)
        try container.encode(isOurs, forKey: .isOurs)
        try container.encodeIfPresent(unresolved, forKey: .unresolved)
    }
}
