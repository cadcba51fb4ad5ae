internal import DNSSD
internal import GatewayProtocol

/// What is known of one thing that leads to a gateway.
struct Lead {
    /// Its service as it was last seen; `nil` for an endpoint that was typed in.
    var service: Service?

    /// Whether it is there now; one that is lost is kept while its gateway answers.
    var isPresent: Bool

    /// Where it leads, each once.
    var endpoints: [Endpoint]

    /// The fingerprint it advertises.
    var fingerprint: GatewayFingerprint?

    /// The name it advertises.
    var name: String

    /// How far away its endpoints are.
    var reach: Reach

    /// The group that it is in, whether with the proved ones, and at which place there.
    var group: GroupKey
    var isProved = false
    var place = 0

    /// Whether it waits among the lost ones to be forgotten.
    var isRemembered = false

    init(service: Service, endpointLimit: Int) {
        let advertisement = GatewayAdvertisement(instance: service.instance, txt: service.txt ?? TXTRecord())
        self.service = service
        self.isPresent = true
        self.endpoints = Self.endpoints(of: service, limit: endpointLimit)
        self.fingerprint = advertisement.fingerprint
        self.name = BotMapLimits.capped(advertisement.name)
        self.reach = service.instance.domain == "local" ? .local : .remote
        self.group = .lead(.service(service.instance))
    }

    init(endpoint: Endpoint, reach: Reach) {
        self.service = nil
        self.isPresent = true
        self.endpoints = [endpoint]
        self.fingerprint = nil
        self.name = endpoint.description
        self.reach = reach
        self.group = .lead(.endpoint(endpoint))
    }

    /// The endpoints of all its sightings, which need not have the same port.
    private static func endpoints(of service: Service, limit: Int) -> [Endpoint] {
        var endpoints: [Endpoint] = []
        for sighting in service.sightings.values {
            guard let port = sighting.port else { continue }
            for address in sighting.addresses { endpoints.append(Endpoint(address: address, port: port)) }
        }
        guard endpoints.count > 1 else { return endpoints }
        endpoints.sort()
        var distinct: [Endpoint] = []
        for endpoint in endpoints where distinct.last != endpoint && distinct.count < limit {
            distinct.append(endpoint)
        }
        return distinct
    }
}
