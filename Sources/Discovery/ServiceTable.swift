internal import DNSSD

/// The fold of sightings into services: one row for each instance. A value: no clock, no I/O.
struct ServiceTable {
    /// The services that are present.
    private(set) var services: [ServiceInstance: Service] = [:]

    /// Those that have been announced, as they were last told: the others are still being resolved, and nobody has heard
    /// of them.
    private var announced: [ServiceInstance: Service] = [:]

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
        return service.resolution.isSettled ? tell(service) : nil
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
            return announced[instance] != nil || service.resolution.isSettled ? tell(service) : nil
        }
        replace(before, by: nil)
        // As it was told: a path that was still being looked up is nobody's loss.
        return announced.removeValue(forKey: instance).map { .lost($0, reason) }
    }

    /// What is new about a service since it was last told.
    private mutating func tell(_ service: Service) -> ServiceChange? {
        guard let told = announced.updateValue(service, forKey: service.instance) else { return .found(service) }
        let aspects = service.aspects(changedSince: told)
        return aspects.isEmpty ? nil : .changed(service, aspects)
    }

    private mutating func replace(_ before: Service?, by service: Service?) {
        if let before, !before.resolution.isSettled { unsettled -= 1 }
        if let service, !service.resolution.isSettled { unsettled += 1 }
        guard let instance = service?.instance ?? before?.instance else { return }
        services[instance] = service
    }

    /// The services that have been announced, as a new reader shall find them.
    var announcedServices: [Service] {
        announced.values.sorted { $0.instance < $1.instance }
    }
}
