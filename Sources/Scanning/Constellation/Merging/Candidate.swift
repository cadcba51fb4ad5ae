internal import DNSSD
internal import GatewayProtocol

/// A service or a manual entry: something that points at endpoints.
struct Candidate: Fact {
    /// Its service as it was last seen; `nil` for a manual entry.
    private(set) var advertised: AdvertisedService?

    /// The manual entry to which its endpoint belongs.
    var entry: String?

    /// The source that has found its endpoint; `nil` for a service, and for what the user entered.
    var source: PlaceSource?

    /// The endpoints to which it leads, each once, sorted by endpoint.
    var endpoints: [Endpoint] = []

    /// Indicates whether it leads to endpoints, and was left out at all of them because too many others lead there.
    var isLeftOut = false

    /// The fingerprint it advertises, and the event since which it has done so.
    private(set) var fingerprint: GatewayFingerprint?
    var claimedAt: UInt64 = 0

    /// The name it advertises.
    private(set) var name = ""

    /// The distance to its endpoints.
    var reach = Reach.local

    /// Indicates whether it belongs to the row of a gateway that has answered, so that it needs no row of its own.
    var isOwned = false

    /// Indicates whether it is among the candidates to refresh in this event.
    var isDirty = false

    init() {}

    init(_ service: DiscoveredService) { see(service) }

    init(_ endpoint: Endpoint, reach: Reach, entry: String?, _ source: PlaceSource? = nil) {
        self.name = endpoint.description
        self.reach = reach
        self.entry = entry
        self.source = source
    }

    /// Its service as it was last seen; `nil` for a manual entry.
    var service: DiscoveredService? { advertised?.service }

    /// Indicates whether it is no service: the user entered it, or a source found it.
    var isManual: Bool { advertised == nil }

    /// Takes in its service as it was just seen.
    mutating func see(_ new: DiscoveredService) {
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
        advertised = AdvertisedService(new)
    }

    /// Returns the endpoints of all sightings of a service, which need not have the same port: each once, sorted.
    static func endpoints(of service: DiscoveredService, limit: Int) -> [Endpoint] {
        var endpoints: [Endpoint] = []
        for sighting in service.sortedSightings {
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

/// The target host of an SRV record as one link knows it: on another link, the same name may be another machine's.
struct TargetHost: Hashable {
    private let name: DomainName
    private let interface: UInt32

    /// Creates the host name of a sighting; `nil` if its host is not known.
    init?(_ sighting: Sighting) {
        guard let host = sighting.host else { return nil }
        self.name = host
        self.interface = sighting.path.interface.index
    }
}
