internal import DNSSD
internal import GatewayProtocol
internal import Gateways

/// Where a service leads, by its SRV and address records, and what may be connected to of it (design: trust).
struct ServiceTarget: Hashable {
    /// The most endpoints of one service that are asked.
    static let mostEndpoints = 16

    /// The endpoints that may be connected to, sorted.
    var endpoints: [Endpoint] = []

    /// The others, and why.
    var refused: [Endpoint: TargetRefusal] = [:]

    /// What was true when it was judged.
    var rules: TargetRules

    /// What it is likely to speak.
    var expected: GatewayDialect?

    /// TXT can only say what is tried first.
    var transports: ProbeTransports

    init(_ service: Service, networks: HostNetworks) {
        let advertisement = GatewayAdvertisement(instance: service.instance, txt: service.txt ?? TXTRecord())
        expected = GatewayProbeTarget.expected(of: service.instance.type)
        transports = advertisement.tls?.isEnabled == true ? .tlsFirst : .plainFirst
        var allowed: Set<Endpoint> = []
        var isOfThisHost = false
        for (path, sighting) in service.sightings {
            guard let port = sighting.port else { continue }
            // What comes in on loopback was sent by this host: no other one is heard there.
            let isLocal = networks.loopbacks.contains(path.interface.index)
            let rules = TargetRules(origin: isLocal ? .thisHost : .network, onLink: networks.prefixes)
            for address in sighting.addresses {
                let endpoint = Endpoint(address: address, port: port)
                if let refusal = rules.refusal(of: endpoint) {
                    refused[endpoint] = refusal
                } else {
                    allowed.insert(endpoint)
                    isOfThisHost = isOfThisHost || address.isLoopback
                }
            }
        }
        for endpoint in allowed { refused[endpoint] = nil }
        endpoints = Array(allowed.sorted().prefix(Self.mostEndpoints))
        // Each endpoint has been judged by where it was seen.
        rules = TargetRules(origin: isOfThisHost ? .thisHost : .network, onLink: networks.prefixes)
        // However many addresses a host claims, what is told of them is bounded.
        for endpoint in refused.keys.sorted().dropFirst(Self.mostEndpoints) { refused[endpoint] = nil }
    }
}
