internal import DNSSD

/// The fold of sightings into services: one row for each instance. A value: no clock, no I/O.
struct ServiceTable {
    /// The services that are present.
    private(set) var services: [ServiceInstance: Service] = [:]

    /// Those that have been announced: the others are still being resolved, and nobody has heard of them.
    private var announced: Set<ServiceInstance> = []

    /// How many services are neither resolved nor known not to be resolvable.
    private(set) var unsettled = 0

    /// Folds one event in.
    ///
    /// A service is *found* when it is first resolved, or when it is known that it cannot be: one that comes and goes
    /// before that was never there.
    mutating func apply(_ event: BrowseEvent) -> ServiceChange? {
        switch event {
        case .sighted(let sighting): sighted(sighting)
        case .vanished(let instance, let path, let reason): vanished(instance, path, reason)
        case .status, .activity, .warning: nil
        }
    }

    private mutating func sighted(_ sighting: Sighting) -> ServiceChange? {
        let before = services[sighting.instance]
        var service = before ?? Service(instance: sighting.instance)
        service.record(sighting)
        replace(before, by: service)
        guard service.resolution.isSettled else { return nil }
        guard announced.contains(service.instance), let before else {
            announced.insert(service.instance)
            return .found(service)
        }
        let aspects = service.aspects(changedSince: before)
        return aspects.isEmpty ? nil : .changed(service, aspects)
    }

    private mutating func vanished(
        _ instance: ServiceInstance,
        _ path: ServicePath,
        _ reason: LossReason
    ) -> ServiceChange? {
        guard let before = services[instance] else { return nil }
        var service = before
        guard service.forget(path) else { return nil }
        guard service.sightings.isEmpty else {
            replace(before, by: service)
            guard announced.contains(instance) else {
                guard service.resolution.isSettled else { return nil }
                announced.insert(instance)
                return .found(service)
            }
            let aspects = service.aspects(changedSince: before)
            return aspects.isEmpty ? nil : .changed(service, aspects)
        }
        replace(before, by: nil)
        return announced.remove(instance) == nil ? nil : .lost(before, reason)
    }

    private mutating func replace(_ before: Service?, by service: Service?) {
        if let before, !before.resolution.isSettled { unsettled -= 1 }
        if let service, !service.resolution.isSettled { unsettled += 1 }
        guard let instance = service?.instance ?? before?.instance else { return }
        services[instance] = service
    }

    /// The services that have been announced, as a new reader shall find them.
    var announcedServices: [Service] {
        announced.compactMap { services[$0] }.sorted { $0.instance < $1.instance }
    }
}
