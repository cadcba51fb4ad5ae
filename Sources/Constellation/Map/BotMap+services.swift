package import DNSSD

/// The services among the candidates, as they are shown whether they lead to a gateway or not.
extension BotMap {
    /// The services that are present, sorted by type and name.
    package var services: [DiscoveredService] { listedServices.compactMap { candidates[$0].service } }

    /// The candidates that are services, in the same order.
    var listedServices: [Slot<Candidate>] {
        candidates.slots.compactMap { slot in candidates[slot].service.map { (slot, $0.instance) } }
            .sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// Returns the service in a slot that was read before; `nil` if none is there any more.
    func service(in slot: Slot<Candidate>) -> DiscoveredService? {
        candidates.holds(slot) ? candidates[slot].service : nil
    }

    /// The changes of services that the last event has caused.
    package var serviceChanges: [ServiceChange] {
        news.services.isEmpty ? [] : news.services.compactMap(\.change)
    }

    // MARK: Services alone

    /// Takes in a service that was found, or that has changed, and that leads to no row.
    mutating func list(_ service: DiscoveredService) {
        let key = GatewayCandidate.service(service.instance)
        if let candidate = candidates.slot(of: key) {
            guard candidates[candidate].service != service else { return }
            let former = candidates[candidate].advertised
            candidates[candidate].see(service)
            news.note(EventNews.Service(former: former, new: candidates[candidate].advertised))
        } else if hasRoom(for: key) {
            let candidate = candidates.insert(Candidate(key: key, service: service))
            news.note(EventNews.Service(former: nil, new: candidates[candidate].advertised))
        }
    }

    /// Forgets a service that leads to no row.
    mutating func unlist(_ candidate: Slot<Candidate>, _ reason: LossReason) {
        news.note(EventNews.Service(former: candidates[candidate].advertised, new: nil, reason: reason))
        candidates[candidate].isForgotten = true
        candidates.remove(candidate)
        isFull = false
    }
}
