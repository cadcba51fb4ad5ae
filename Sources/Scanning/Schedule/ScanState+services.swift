internal import BotMap
internal import DNSSD
internal import Discovery
internal import GatewayProtocol
internal import Gateways

extension ScanState {
    /// Takes in what the browser says. Every change but a loss is a reason to ask at once.
    mutating func apply(_ change: ServiceChange, now: ContinuousClock.Instant) {
        switch change {
        case .found(let service):
            present.insert(service.instance)
            tell(.serviceFound(service))
            lead(service, isNews: true, now: now)
        case .changed(let service, let aspects):
            tell(.serviceFound(service))
            lead(service, isNews: !aspects.isDisjoint(with: [.txt, .host, .port]), now: now)
        case .lost(let service, _):
            present.remove(service.instance)
            tell(.serviceLost(service.instance))
            refusals[service.instance] = nil
            refused.remove(service.instance)
            doubts.clear(service.instance)
            leave(service.instance, now: now)
        }
    }

    /// Asks what the user named.
    mutating func add(_ gateway: TypedInGateway, now: ContinuousClock.Instant) {
        let rules = TargetRules(origin: .user, onLink: networks.prefixes)
        var allowed: [Endpoint] = []
        for endpoint in Set(gateway.endpoints).sorted().prefix(ServiceTarget.mostEndpoints) {
            tell(.endpointAdded(endpoint, gateway.reach))
            if let refusal = rules.refusal(of: endpoint) {
                tell(.probed(endpoint, .nothing(.notAllowed(refusal))))
            } else {
                allowed.append(endpoint)
            }
        }
        guard !allowed.isEmpty else { return }
        let id = target(at: allowed, rules: rules)
        targets[id]?.isTypedIn = true
        targets[id]?.rules = rules
        targets[id]?.expected = gateway.expected
        targets[id]?.transports = gateway.transports
        targets[id]?.resource = gateway.resource
        ask(id, .first)
    }

    /// - Parameter isNews: Whether what is there may be another gateway, or may have other bots.
    private mutating func lead(_ service: Service, isNews: Bool, now: ContinuousClock.Instant) {
        let place = ServiceTarget(service, networks: networks)
        refuse(place.refused, of: service.instance)
        guard !place.endpoints.isEmpty else {
            leave(service.instance, now: now)
            if place.refused.isEmpty { refused.remove(service.instance) } else { refused.insert(service.instance) }
            return
        }
        refused.remove(service.instance)
        let former = targetsByService[service.instance]
        let id = findTarget(of: service.instance, at: place, former: former, now: now)
        targets[id]?.services.insert(service.instance)
        targetsByService[service.instance] = id
        if targets[id]?.isTypedIn == false {
            targets[id]?.rules = place.rules
            if targets[id]?.expected == nil { targets[id]?.expected = place.expected }
            targets[id]?.transports = place.transports
        }
        if targets[id]?.tracker.liveness == .answering { keepService(service.instance, of: id) }
        targets[id]?.tracker.hurry()
        if targets[id]?.isAsked != true {
            ask(id, .first)
        } else if isNews || targets[id]?.tracker.liveness == nil {
            ask(id, .again)
        } else {
            meet(id, at: now)
        }
    }

    /// Finds the target of a service. One that had it alone goes with it, so that what is known is not asked again.
    private mutating func findTarget(
        of instance: ServiceInstance,
        at place: ServiceTarget,
        former: Int?,
        now: ContinuousClock.Instant
    ) -> Int {
        guard let former, let target = targets[former], target.endpoints != place.endpoints else {
            return former ?? self.target(at: place.endpoints, rules: place.rules)
        }
        let isAlone = target.services == [instance] && !target.isTypedIn
        if isAlone, self.target(at: place.endpoints) == nil {
            let added = Set(place.endpoints).subtracting(target.endpoints)
            move(former, to: place.endpoints)
            if target.primary != nil, targets[former]?.primary != nil { askOthers(of: former, added) }
            return former
        }
        leave(instance, now: now)
        return self.target(at: place.endpoints, rules: place.rules)
    }

    /// A service does not lead to its target any more. While it answers, it is asked on.
    mutating func leave(_ instance: ServiceInstance, now: ContinuousClock.Instant) {
        guard let id = targetsByService.removeValue(forKey: instance) else { return }
        targets[id]?.services.remove(instance)
        release([instance])
        guard let target = targets[id], !target.isWanted else { return }
        if configuration.watches, target.tracker.liveness == .answering || target.tracker.liveness == .suspect {
            meet(id, at: now)
        } else {
            drop(id)
        }
    }

    private mutating func refuse(_ refused: [Endpoint: TargetRefusal], of instance: ServiceInstance) {
        let known = refusals[instance] ?? [:]
        for (endpoint, refusal) in refused where known[endpoint] != refusal {
            tell(.probed(endpoint, .nothing(.notAllowed(refusal))))
        }
        refusals[instance] = refused.isEmpty ? nil : refused
    }
}
