internal import DNSSD
internal import GatewayProtocol

/// What is known of one thing that leads to a gateway.
struct Lead: SlabValue {
    /// Which lead.
    let key: GatewayLead

    /// Its service as it was last seen; `nil` for an endpoint that was typed in.
    private(set) var service: Service?

    /// Whether it is there now; one that is lost is kept while its gateway answers.
    var isPresent = true

    /// Where it leads, each once, sorted by endpoint.
    var endpoints: [Slot<EndpointFacts>] = []

    /// The fingerprint it advertises.
    private(set) var fingerprint: GatewayFingerprint?

    /// The name it advertises.
    private(set) var name = ""

    /// How far away its endpoints are.
    var reach = Reach.local

    /// The group that it is in, whether with the proved ones, and at which place there. `nil` before it is in one.
    var group: Slot<LeadGroup>?
    var isProved = false
    var place = 0

    /// The row that it is part of.
    var row: Slot<Row>?

    /// Whether it waits among the lost ones to be forgotten.
    var isRemembered = false

    /// Whether it is forgotten, and only here until the end of the event.
    var isForgotten = false

    init(key: GatewayLead, service: Service) {
        self.key = key
        see(service)
    }

    init(endpoint: Endpoint, reach: Reach) {
        self.key = .endpoint(endpoint)
        self.name = endpoint.description
        self.reach = reach
    }

    /// Its service is seen, or seen in another way.
    mutating func see(_ new: Service) {
        let txt = new.txt ?? TXTRecord()
        let isRead = service.map {
            ($0.txt ?? TXTRecord()) == txt && $0.instance.name.utf8.elementsEqual(new.instance.name.utf8)
        }
        if isRead != true {
            let advertisement = GatewayAdvertisement(instance: new.instance, txt: txt)
            fingerprint = advertisement.fingerprint
            name = BotMapLimits.capped(advertisement.name)
        }
        reach = new.instance.domain == "local" ? .local : .remote
        service = new
    }

    mutating func vacate() {
        service = nil
        endpoints = []
    }

    /// The endpoints of all sightings of a service, which need not have the same port: each once, sorted.
    static func endpoints(of service: Service, limit: Int) -> [Endpoint] {
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
