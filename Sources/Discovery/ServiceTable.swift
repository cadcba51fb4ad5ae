internal import DNSSD

/// The fold of sightings into services: one row for each instance. A value: no clock, no I/O.
struct ServiceTable {
    /// A decision on whether there is room for a sighting.
    enum Admission {
        case admitted

        /// There was no room, and another service was dropped for it. The change is the loss of that one; `nil` if it
        /// had not been announced.
        case inPlaceOf(ServiceChange?)

        /// There is no room for it, since no host has more services than its own.
        case refused
    }

    /// The services that are present.
    private(set) var services: [ServiceInstance: DiscoveredService] = [:]

    /// The services that have not been reported, since they are still being resolved.
    private var unannounced: Set<ServiceInstance> = []

    /// The other services as they were last reported, where they are no longer the same: nearly always they are.
    private var former: [ServiceInstance: DiscoveredService] = [:]

    /// The maximum number of services.
    private let maximum: Int

    /// The services that may be dropped, by host; those without a known host count as one host's.
    private var ledger = SourceLedger<ServiceInstance, DomainName>()

    /// The instances that are known to be alive by other means, including those that are not present.
    private(set) var protected: Set<ServiceInstance>

    /// The number of services that were dropped or refused for lack of room.
    private(set) var leftOut = 0

    /// The number of services that are neither resolved nor known not to be resolvable.
    private(set) var unsettled = 0

    /// Creates an empty table.
    init(maximum: Int = .max, protected: Set<ServiceInstance> = []) {
        self.maximum = maximum
        self.protected = protected
    }

    // MARK: Room

    /// Makes room for a sighting, if its instance is not known and there is no room. Must be called before the sighting
    /// is applied; a refused one must not be applied.
    mutating func admit(_ sighting: Sighting, using random: inout some RandomNumberGenerator) -> Admission {
        guard services[sighting.instance] == nil, services.count >= maximum else { return .admitted }
        leftOut += 1
        let isWorthMore = protected.contains(sighting.instance) || sighting.isOurs
        guard isWorthMore || ledger.count(of: sighting.host ?? .root) < ledger.highestCount,
            let victim = ledger.newestOfHighest(using: &random), let service = services[victim]
        else { return .refused }
        let reported = lastReported(victim)
        replace(service, by: nil)
        return .inPlaceOf(reported.map { .lost($0, .withdrawn) })
    }

    /// Records whether an instance is known to be alive by other means: while it is, it is not dropped for lack of
    /// room.
    mutating func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        if isProtected { protected.insert(instance) } else { protected.remove(instance) }
        if let service = services[instance] { enter(service) }
    }

    private mutating func enter(_ service: DiscoveredService) {
        ledger.remove(service.instance)
        guard !service.isOurs, !protected.contains(service.instance) else { return }
        ledger.insert(service.instance, from: service.host ?? .root)
    }

    // MARK: Events

    /// Applies one event.
    ///
    /// A service is *found* when it is first resolved, or when it is known that it cannot be. One that comes and goes
    /// before that is never reported.
    mutating func apply(_ event: BrowseEvent) -> ServiceChange? {
        switch event {
        case .sighted(let sighting): sighted(sighting)
        case .vanished(let instance, let path, let reason): vanished(instance, path, reason)
        case .status, .activity, .warning, .domain, .losses: nil
        }
    }

    private mutating func sighted(_ sighting: Sighting) -> ServiceChange? {
        let before = services[sighting.instance]
        var service = before ?? DiscoveredService(instance: sighting.instance)
        var sighting = sighting
        // One backend may take over from another; one that does not report families uses one path for both.
        for known in service.sortedSightings where known.path.interface == sighting.path.interface {
            // One that uses a path for each says for each of them from whom it has heard.
            if known.path == sighting.path || known.source != sighting.source { sighting.keepSources(of: known) }
        }
        service.record(sighting)
        replace(before, by: service)
        return service.resolution.isSettled ? report(service) : nil
    }

    private mutating func vanished(
        _ instance: ServiceInstance,
        _ path: ServicePath,
        _ reason: LossReason
    ) -> ServiceChange? {
        guard let before = services[instance] else { return nil }
        var service = before
        guard service.forget(path) else { return nil }
        guard service.sortedSightings.isEmpty else {
            replace(before, by: service)
            return !unannounced.contains(instance) || service.resolution.isSettled ? report(service) : nil
        }
        // As last reported: the loss of a path that was still being resolved concerns nobody.
        let reported = lastReported(instance)
        replace(before, by: nil)
        return reported.map { .lost($0, reason) }
    }

    /// Returns the change of a service since it was last reported, and records that it is reported now.
    private mutating func report(_ service: DiscoveredService) -> ServiceChange? {
        let reported = lastReported(service.instance)
        unannounced.remove(service.instance)
        former[service.instance] = nil
        guard let reported else { return .found(service) }
        let aspects = service.aspects(changedSince: reported)
        return aspects.isEmpty ? nil : .changed(service, aspects)
    }

    /// Returns a service that is present as it was last reported; `nil` if it has not been.
    private func lastReported(_ instance: ServiceInstance) -> DiscoveredService? {
        unannounced.contains(instance) ? nil : former[instance] ?? services[instance]
    }

    private mutating func replace(_ before: DiscoveredService?, by service: DiscoveredService?) {
        if let before, !before.resolution.isSettled { unsettled -= 1 }
        if let service, !service.resolution.isSettled { unsettled += 1 }
        guard let instance = service?.instance ?? before?.instance else { return }
        services[instance] = service
        guard let service else {
            unannounced.remove(instance)
            former[instance] = nil
            services.giveBackRoom()
            unannounced.giveBackRoom()
            former.giveBackRoom()
            return ledger.remove(instance)
        }
        if let before {
            if !unannounced.contains(instance), former[instance] == nil { former[instance] = before }
        } else {
            unannounced.insert(instance)
        }
        // Only when one of these has changed: entering it makes it the newest of its host.
        if service.host != before?.host || service.isOurs != before?.isOurs { enter(service) }
    }

    /// The announced services, in the order in which a new reader gets them.
    var announcedServices: [DiscoveredService] {
        services.values.filter { !unannounced.contains($0.instance) }.map { former[$0.instance] ?? $0 }
            .sorted { $0.instance < $1.instance }
    }
}
