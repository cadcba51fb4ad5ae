package import DNSSD
package import Scanning

/// A reader of the services in the updates of a constellation, which has each change even where a snapshot takes the place
/// of several. A value: no clock, no I/O.
package struct ServiceFeed: Sendable {
    /// The services that are present, as they were last reported.
    private var known: [ServiceInstance: DiscoveredService] = [:]

    /// Makes a feed that has not read anything.
    package init() {}

    /// Takes in an update.
    ///
    /// - Returns: The changes of services, each with the service before it.
    package mutating func take(
        _ update: ConstellationUpdate
    ) -> [(change: ServiceChange, before: DiscoveredService?)] {
        switch update {
        case .snapshot(let snapshot): missed(snapshot.services).map { take($0) }
        case .changes(let changes, _):
            changes.compactMap { if case .service(let change) = $0 { take(change) } else { nil } }
        }
    }

    private mutating func take(_ change: ServiceChange) -> (ServiceChange, DiscoveredService?) {
        let service = change.service
        switch change {
        case .found, .changed: return (change, known.updateValue(service, forKey: service.instance))
        case .lost: return (change, known.removeValue(forKey: service.instance))
        }
    }

    /// Returns the changes that have led to these services. The reason of a loss is not known any more.
    private func missed(_ services: [DiscoveredService]) -> [ServiceChange] {
        let present = Set(services.map(\.instance))
        let lost = known.values.filter { !present.contains($0.instance) }.sorted { $0.instance < $1.instance }
        return lost.map { .lost($0, .withdrawn) }
            + services.compactMap { service in
                guard let before = known[service.instance] else { return .found(service) }
                let aspects = service.aspects(changedSince: before)
                return aspects.isEmpty ? nil : .changed(service, aspects)
            }
    }
}
