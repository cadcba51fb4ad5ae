internal import DNSSD

/// The usual ports of hosts that the user entered without a port, and the places that sources have found: those at which a
/// gateway has answered are gateways, the others are asked on and not shown. A value.
struct SoughtPorts {
    /// A gateway that may be at a usual port of a host, or where a source has found something.
    private struct Entry {
        let gateway: ManualGateway
        let number: Int
        /// The host that the user entered without a port.
        var host: String? { gateway.soughtHost }
    }

    /// The entries that lead to each endpoint: at most one of a host, before those of sources.
    private var entries: [Endpoint: [Entry]] = [:]

    /// The endpoints at the usual ports of each host.
    private var places: [String: Set<Endpoint>] = [:]

    /// The endpoints at which a gateway has answered, as long as their hosts are entered.
    private var found: Set<Endpoint> = []

    /// The endpoint that stands for each host at which no gateway has answered.
    private var standIns: [String: Endpoint] = [:]

    mutating func add(_ gateway: ManualGateway, number: Int) {
        guard gateway.isSought else { return }
        let entry = Entry(gateway: gateway, number: number)
        for endpoint in gateway.wanted {
            guard let host = gateway.soughtHost else {
                entries[endpoint, default: []].append(entry)
                continue
            }
            guard entries[endpoint]?.first?.host == nil else { continue }
            entries[endpoint, default: []].insert(entry, at: 0)
            places[host, default: []].insert(endpoint)
            // It is shown anew, as what the user has named.
            found.remove(endpoint)
        }
    }

    mutating func remove(_ gateway: ManualGateway) {
        guard gateway.isSought else { return }
        for endpoint in gateway.wanted {
            guard entries[endpoint]?.contains(where: { $0.gateway == gateway }) == true else { continue }
            entries[endpoint]?.removeAll { $0.gateway == gateway }
            if entries[endpoint]?.isEmpty == true {
                entries[endpoint] = nil
                found.remove(endpoint)
            }
            guard let host = gateway.soughtHost else { continue }
            places[host]?.remove(endpoint)
            if places[host]?.isEmpty == true { places[host] = nil }
            if standIns[host] == endpoint { standIns[host] = nil }
        }
    }

    /// Indicates whether a candidate is such an entry.
    func contains(_ key: EndpointCandidate.Key, at endpoint: Endpoint) -> Bool {
        entries[endpoint]?.contains { key == .manual($0.number) } ?? false
    }

    /// Indicates whether sources alone lead to an endpoint.
    func isOnlyFound(_ endpoint: Endpoint) -> Bool {
        entries[endpoint].map { $0.allSatisfy { $0.gateway.source != nil } } ?? false
    }

    /// Indicates whether a gateway has answered at an endpoint.
    func isFound(_ endpoint: Endpoint) -> Bool { found.contains(endpoint) }

    /// Returns the endpoints at the usual ports of the host to which an endpoint belongs, in order.
    func endpoints(ofHostAt endpoint: Endpoint) -> [Endpoint] {
        guard let host = entries[endpoint]?.first?.host else { return [] }
        return places[host, default: []].sorted()
    }

    /// Records that a gateway has answered at an endpoint.
    ///
    /// - Returns: Its entry, and the endpoint that has stood for the host; `nil` if it is none of these, or known already.
    mutating func find(_ endpoint: Endpoint) -> (gateway: ManualGateway, number: Int, standIn: Endpoint?)? {
        guard let entry = entries[endpoint]?.first, found.insert(endpoint).inserted else { return nil }
        return (entry.gateway, entry.number, entry.host.flatMap { standIns.removeValue(forKey: $0) })
    }

    /// Has an endpoint stand for its host, at which no gateway answers.
    ///
    /// - Returns: Its entry; `nil` if something is shown of the host already.
    mutating func standIn(_ endpoint: Endpoint) -> (gateway: ManualGateway, number: Int)? {
        guard let entry = entries[endpoint]?.first, let host = entry.host, standIns[host] == nil,
            !endpoints(ofHostAt: endpoint).contains(where: found.contains)
        else { return nil }
        standIns[host] = endpoint
        return (entry.gateway, entry.number)
    }
}
