internal import DNSSD

/// The usual ports of hosts that the user entered without a port: those at which a gateway has answered are gateways, the
/// others are asked on and not shown. A value.
struct SoughtPorts {
    /// A gateway that may be at a usual port of a host.
    private struct Entry {
        let gateway: ManualGateway
        let number: Int
        let host: String
    }

    private var entries: [Endpoint: Entry] = [:]

    /// The endpoints at the usual ports of each host.
    private var places: [String: Set<Endpoint>] = [:]

    /// The endpoints at which a gateway has answered, as long as their hosts are entered.
    private var found: Set<Endpoint> = []

    /// The endpoint that stands for each host at which no gateway has answered.
    private var standIns: [String: Endpoint] = [:]

    mutating func add(_ gateway: ManualGateway, number: Int) {
        guard let host = gateway.soughtHost else { return }
        for endpoint in gateway.wanted where entries[endpoint] == nil {
            entries[endpoint] = Entry(gateway: gateway, number: number, host: host)
            places[host, default: []].insert(endpoint)
        }
    }

    mutating func remove(_ gateway: ManualGateway) {
        guard gateway.soughtHost != nil else { return }
        for endpoint in gateway.wanted where entries[endpoint]?.gateway == gateway {
            guard let entry = entries.removeValue(forKey: endpoint) else { continue }
            found.remove(endpoint)
            places[entry.host]?.remove(endpoint)
            if places[entry.host]?.isEmpty == true { places[entry.host] = nil }
            if standIns[entry.host] == endpoint { standIns[entry.host] = nil }
        }
    }

    /// Indicates whether a candidate is such an entry.
    func contains(_ key: EndpointCandidate.Key, at endpoint: Endpoint) -> Bool {
        entries[endpoint].map { key == .manual($0.number) } ?? false
    }

    /// Indicates whether a gateway has answered at an endpoint.
    func isFound(_ endpoint: Endpoint) -> Bool { found.contains(endpoint) }

    /// Returns the endpoints at the usual ports of the host to which an endpoint belongs, in order.
    func endpoints(ofHostAt endpoint: Endpoint) -> [Endpoint] {
        guard let host = entries[endpoint]?.host else { return [] }
        return places[host, default: []].sorted()
    }

    /// Records that a gateway has answered at an endpoint.
    ///
    /// - Returns: Its entry, and the endpoint that has stood for the host; `nil` if it is none of these, or known already.
    mutating func find(_ endpoint: Endpoint) -> (gateway: ManualGateway, number: Int, standIn: Endpoint?)? {
        guard let entry = entries[endpoint], found.insert(endpoint).inserted else { return nil }
        return (entry.gateway, entry.number, standIns.removeValue(forKey: entry.host))
    }

    /// Has an endpoint stand for its host, at which no gateway answers.
    ///
    /// - Returns: Its entry; `nil` if something is shown of the host already.
    mutating func standIn(_ endpoint: Endpoint) -> (gateway: ManualGateway, number: Int)? {
        guard let entry = entries[endpoint], standIns[entry.host] == nil,
            !endpoints(ofHostAt: endpoint).contains(where: found.contains)
        else { return nil }
        standIns[entry.host] = endpoint
        return (entry.gateway, entry.number)
    }
}
