public import DNSSD

/// The services among the candidates, as they are shown whether they lead to a gateway or not.
extension BotMap {
    /// The services that are present, sorted by type and name.
    public var services: [DiscoveredService] {
        candidates.slots.compactMap { candidates[$0].service }.sorted { $0.instance < $1.instance }
    }

    /// The changes of services that the last event has caused.
    public var serviceChanges: [ServiceChange] {
        news.services.isEmpty ? [] : news.services.compactMap(\.change)
    }
}
