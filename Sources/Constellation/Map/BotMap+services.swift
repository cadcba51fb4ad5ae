public import DNSSD

/// The services among the candidates, as they are shown whether they lead to a gateway or not.
extension BotMap {
    /// A service that has changed in the current event. What has changed about it is found out only for readers.
    struct ServiceNews {
        /// The service as it was and as it is; `nil` for one that is new or lost.
        let former: AdvertisedService?
        let new: AdvertisedService?
        var reason = LossReason.withdrawn

        /// The change; `nil` if it shows in no aspect.
        var change: ServiceChange? {
            switch (former?.service, new?.service) {
            case (nil, let new?): return .found(new)
            case (let former?, nil): return .lost(former, reason)
            case (let former?, let new?):
                let aspects = new.aspects(changedSince: former)
                return aspects.isEmpty ? nil : .changed(new, aspects)
            case (nil, nil): return nil
            }
        }
    }

    /// The services that are present, sorted by type and name.
    public var services: [DiscoveredService] {
        candidates.slots.compactMap { candidates[$0].service }.sorted { $0.instance < $1.instance }
    }

    /// The changes of services that the last event has caused.
    public var serviceChanges: [ServiceChange] {
        serviceNews.isEmpty ? [] : serviceNews.compactMap(\.change)
    }
}
