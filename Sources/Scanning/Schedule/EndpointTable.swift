internal import Constellation
internal import DNSSD

/// The endpoints, and their numbers by state. Keeping these up to date costs the same however many endpoints there are.
struct EndpointTable {
    /// The numbers of endpoints by state.
    struct Tally: Hashable {
        /// The endpoints whose kind is known.
        var asked = 0

        /// The endpoints behind which a gateway answered.
        var gateways = 0

        /// The endpoints among these that are checked every few seconds.
        var primaries = 0

        /// The endpoints among these that answer and to which nothing points.
        var unwanted = 0
    }

    private var endpoints: [Endpoint: ScannedEndpoint] = [:]
    private(set) var tally = Tally()

    var count: Int { endpoints.count }
    var keys: some Collection<Endpoint> { endpoints.keys }
    var values: some Collection<ScannedEndpoint> { endpoints.values }

    subscript(endpoint: Endpoint) -> ScannedEndpoint? {
        get { endpoints[endpoint] }
        // In place: otherwise, the endpoint's arrays would be copied whenever one of them changes.
        _modify {
            count(endpoint, -1)
            defer { count(endpoint, 1) }
            yield &endpoints[endpoint]
        }
    }

    mutating func insert(_ endpoint: ScannedEndpoint) {
        endpoints[endpoint.endpoint] = endpoint
        count(endpoint.endpoint, 1)
    }

    mutating func removeValue(forKey endpoint: Endpoint) -> ScannedEndpoint? {
        count(endpoint, -1)
        return endpoints.removeValue(forKey: endpoint)
    }

    private mutating func count(_ endpoint: Endpoint, _ step: Int) {
        guard let place = endpoints.index(forKey: endpoint) else { return }
        if endpoints.values[place].isAsked { tally.asked += step }
        guard let liveness = endpoints.values[place].tracker.liveness else { return }
        tally.gateways += step
        guard liveness != .gone else { return }
        if endpoints.values[place].isPrimary { tally.primaries += step }
        if !endpoints.values[place].isWanted { tally.unwanted += step }
    }
}
