package import DNSSD
internal import GatewayProtocol

/// The demands of the map: the endpoints about which it wants to know more, since what it shows depends on that.
extension BotMap {
    /// The demands that the last event has caused, in the order in which they are to be served.
    package var demands: [EndpointDemand] { news.demands }

    /// Returns the demands that follow from a question that an endpoint has left unanswered: where one address of a
    /// gateway is silent, another one may answer, even if it was long gone.
    package func demands(afterSilenceOf key: Endpoint) -> [EndpointDemand] {
        guard let row = shownRow(of: key) else { return [] }
        return rows[row].gateway.paths.filter { $0.outcome?.identity != nil && $0.endpoint != key }
            .map { EndpointDemand($0.endpoint, .silentElsewhere) }
    }

    /// Returns whether an endpoint decides whether its gateway answers; `nil` if no gateway is shown there.
    func place(of key: Endpoint) -> EndpointDemand? {
        guard let row = shownRow(of: key) else { return nil }
        return places(in: rows[row].gateway).first { $0.endpoint == key }
    }

    private func shownRow(of key: Endpoint) -> GatewayID? {
        var row = endpoints[key].row
        for candidate in endpoints[key].candidates where row == nil { row = owner(of: candidate) }
        guard let row, rows[row].isShown else { return nil }
        return row
    }

    // MARK: Causes

    /// Demands answers of the gateways whose fingerprint a candidate has begun to claim, but not where it leads itself.
    mutating func demandAnswers(toClaimOf candidate: GatewayCandidate) {
        guard let fingerprint = candidates[candidate].fingerprint, claims[fingerprint]?.rows.isEmpty == false else {
            return
        }
        for other in endpoints(answeringWith: fingerprint) where !candidates[candidate].endpoints.contains(other) {
            demand(.claimed, at: other)
        }
    }

    /// Demands answers of the other endpoints that answer with the fingerprint of one that has just begun to, or is
    /// back, unless one candidate leads both to them and there.
    mutating func demandAnswers(toClaimAt endpoint: Endpoint, _ identity: GatewayIdentity) {
        guard let fingerprint = identity.fingerprint else { return }
        let others = endpoints(answeringWith: fingerprint)
        guard others.count > 1 else { return }
        let known = Set(endpoints[endpoint].candidates.flatMap { [$0] + siblings(of: $0) })
        for other in others where other != endpoint && known.isDisjoint(with: endpoints[other].candidates) {
            demand(.claimed, at: other)
        }
    }

    /// Demands answers of the endpoints whose place another gateway of the same service may have taken: it has answered
    /// at the same port of the same machine.
    mutating func demandAnswers(ofReplacedBy endpoint: Endpoint, _ identity: GatewayIdentity) {
        guard let machine = endpoints[endpoint].machine else { return }
        let port = endpoint.port
        for candidate in endpoints[endpoint].candidates where !candidates[candidate].isManual {
            for other in candidates[candidate].endpoints where other != endpoint && other.port == port {
                guard endpoints[other].machine == machine, endpoints[other].row != nil,
                    endpoints[other].outcome?.identity?.isSame(as: identity) == false
                else { continue }
                demand(.replaced, at: other)
            }
        }
    }

    /// Demands answers of the other endpoints of a gateway that says something else than before: a change at one of them
    /// does not count for the others before they were asked.
    ///
    /// - Parameter members: The endpoints of its row before the change.
    mutating func demandAnswers(
        of members: [Endpoint],
        besides endpoint: Endpoint,
        _ identity: GatewayIdentity
    ) {
        for member in members where member != endpoint && endpoints[member].liveness?.isAlive == true {
            // One that has given the same answer already is not asked again.
            if endpoints[member].outcome?.identity != identity { demand(.changedElsewhere, at: member) }
        }
    }

    /// Demands that the endpoints of a row are asked as often as their places in it need.
    mutating func demandPlaces(in new: Gateway, since former: Gateway?) {
        if let former, former.paths.count <= 1, new.paths.count <= 1 { return }
        for place in places(in: new) { news.demand(place) }
    }

    mutating func demand(_ reason: EndpointDemand.Reason, at endpoint: Endpoint) {
        news.demand(EndpointDemand(endpoint, reason))
    }

    /// Returns the places of the endpoints of a row that have answered as its gateway. While none of them is alive, each
    /// may be the first to answer again. One that the user has named by its address is watched there, whatever else a record
    /// has brought into its row.
    private func places(in gateway: Gateway) -> [EndpointDemand] {
        let members = gateway.paths.filter { $0.outcome?.identity != nil }
        let first = members.first { $0.counts && $0.liveness?.isAlive == true }?.endpoint
        return members.map { path in
            let isNamed = path.isManual && !gateway.isPaired
            let leads = first == nil ? !path.isHearsay : first == path.endpoint || isNamed
            return EndpointDemand(path.endpoint, leads ? .leads : .follows)
        }
    }

    /// Returns the endpoints that answer with a fingerprint, sorted.
    private func endpoints(answeringWith fingerprint: GatewayFingerprint) -> [Endpoint] {
        var found: [Endpoint] = []
        for row in claims[fingerprint]?.rows ?? [] {
            for member in rows[row].members where endpoints[member].outcome?.identity?.fingerprint == fingerprint {
                found.append(member)
            }
        }
        return found.sorted()
    }
}
