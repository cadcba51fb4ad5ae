package import DNSSD

/// The services among the candidates, as they are shown whether they lead to a gateway or not.
extension BotMap {
    /// The services that are present, sorted by type and name.
    package var services: [DiscoveredService] { listedServices.compactMap { candidates[$0].service } }

    /// The candidates that are services, in the same order.
    var listedServices: [GatewayCandidate] {
        candidates.keys.filter { !candidates[$0].isManual }.sorted()
    }

    /// The changes of services that the last event has caused.
    package var serviceChanges: [ServiceChange] {
        news.services.isEmpty ? [] : news.services.compactMap(\.change)
    }

    // MARK: Services alone

    /// Takes in a service that was found, or that has changed, and that leads to no row.
    mutating func list(_ service: DiscoveredService) {
        let key = GatewayCandidate.service(service.instance)
        if let candidate = candidates.known(key) {
            guard candidates[candidate].service != service else { return }
            let former = candidates[candidate].advertised
            candidates[candidate].see(service)
            news.note(EventNews.Service(former: former, new: candidates[candidate].advertised))
        } else if hasRoom(for: key) {
            candidates[key] = Candidate(service)
            news.note(EventNews.Service(former: nil, new: candidates[key].advertised))
        }
    }

    /// Forgets a service that leads to no row.
    mutating func unlist(_ candidate: GatewayCandidate, _ reason: LossReason) {
        news.note(EventNews.Service(former: candidates[candidate].advertised, new: nil, reason: reason))
        candidates.remove(candidate)
        isFull = false
    }
}
