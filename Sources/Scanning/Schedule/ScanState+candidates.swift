internal import DNSSD
internal import GatewayProtocol

/// The candidates that point at each endpoint.
extension ScanState {
    /// Takes in a change that the browser reports. Records add candidates, and are a reason to ask; answers decide.
    mutating func apply(_ change: ServiceChange, now: ContinuousClock.Instant) {
        switch change {
        case .found(let service):
            services.present.insert(service.instance)
            emit(.serviceFound(service))
            if configuration.probes { updateCandidates(of: service, mayHaveChanged: true, now: now) }
        case .changed(let service, let aspects):
            emit(.serviceFound(service))
            guard configuration.probes else { return }
            updateCandidates(of: service, mayHaveChanged: !aspects.isDisjoint(with: [.txt, .host, .port]), now: now)
        case .lost(let service, let reason):
            emit(.serviceLost(service.instance, reason))
            for endpoint in services.forget(service.instance) {
                remove(.service(service.instance), from: endpoint, now: now)
            }
            unprotect(CollectionOfOne(service.instance))
        }
    }

    /// - Parameter mayHaveChanged: Indicates whether another gateway may be there, or one with other bots.
    mutating func updateCandidates(of service: DiscoveredService, mayHaveChanged: Bool, now: ContinuousClock.Instant) {
        var target = ServiceTarget(service, networks: networks)
        deferOwnAddressRefusal(&target, of: service, now: now)
        refuse(target.refused, of: service.instance)
        if target.candidates.isEmpty, !target.refused.isEmpty {
            services.refused.insert(service.instance)
        } else {
            services.refused.remove(service.instance)
        }
        let former = services.endpoints[service.instance] ?? []
        let places = target.candidates.keys.flatMap { [$0] + (manual.named[$0] ?? []) }
        let hasPlaceToAsk = places.contains { place in
            endpoints[place].map { $0.candidates.isManual && !$0.question.isAsked } ?? false
        }
        var present: [Endpoint] = []
        for (endpoint, candidate) in target.candidates.sorted(by: { $0.key < $1.key }) {
            // The service may have been elsewhere, or nowhere, while another gateway took that place.
            let answered = endpoints[endpoint]?.answer?.identity.fingerprint
            let isAnother = answered != nil && target.fingerprint != nil && answered != target.fingerprint
            let isAdded = add(
                candidate,
                to: endpoint,
                mayHaveChanged: mayHaveChanged,
                isAnother: isAnother,
                after: hasPlaceToAsk ? Self.placeDeferral : endpoint.address.isLinkLocal ? Self.deferral : nil,
                now: now
            )
            if isAdded { present.append(endpoint) }
        }
        services.endpoints[service.instance] = present.isEmpty ? nil : present
        for endpoint in former where !present.contains(endpoint) {
            remove(.service(service.instance), from: endpoint, now: now)
        }
        if former.allSatisfy({ endpoints[$0]?.tracker.liveness != .answering }),
            !present.contains(where: { endpoints[$0]?.tracker.liveness == .answering })
        {
            unprotect(CollectionOfOne(service.instance))
        }
    }

    // MARK: Endpoints

    /// Records that a candidate points at an endpoint.
    ///
    /// - Parameters:
    ///   - mayHaveChanged: Indicates whether another gateway may be there, or one with other bots, if the candidate led
    ///     there before.
    ///   - isAnother: Indicates whether it advertises another gateway than the one that has answered there.
    ///   - deferral: The time for which its first probe waits: see ``deferral`` and ``placeDeferral``.
    /// - Returns: `false` when too many candidates do.
    @discardableResult
    mutating func add(
        _ candidate: EndpointCandidate,
        to endpoint: Endpoint,
        mayHaveChanged: Bool,
        isAnother: Bool,
        after deferral: Duration? = nil,
        now: ContinuousClock.Instant
    ) -> Bool {
        let isNew = endpoints[endpoint] == nil
        if isNew {
            endpoints.insert(ScannedEndpoint(endpoint, number: endpoints.nextNumber()))
            if sessions.contains(endpoint) { endpoints[endpoint]?.told.isKnownBySession = true }
            sessions.keep(endpoint)
        }
        let wasWanted = endpoints[endpoint]?.isWanted == true
        let knew = endpoints[endpoint]?.candidates.contains(candidate.key) == true
        guard let hasNewHint = endpoints[endpoint]?.candidates.add(candidate) else { return false }
        knownFromHostOnly.remove(endpoint)
        if isNew, let deferral {
            deferred.insert(endpoint)
            ask(endpoint, at: now + deferral)
        } else if isNew {
            enqueueProbe(endpoint, now: now)
        } else if hasNewHint && endpoints[endpoint]?.answer == nil || mayHaveChanged && knew || isAnother && !knew {
            expedite(endpoint, isProbe: true, now: now)
        } else if !wasWanted || !knew {
            expedite(endpoint, isProbe: false, now: now)
        }
        if endpoints[endpoint]?.tracker.liveness == .answering, case .service(let instance) = candidate.key {
            protectService(instance, of: endpoint)
        }
        return true
    }

    /// Records that a candidate no longer points at an endpoint. An endpoint that answers is still asked.
    mutating func remove(_ key: EndpointCandidate.Key, from endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard let known = endpoints[endpoint] else { return }
        endpoints[endpoint]?.candidates.remove(key, now: now)
        guard endpoints[endpoint]?.isWanted == false else { return }
        let isAlive = known.tracker.liveness?.isAlive == true
        if !isAlive || !configuration.watches || endpoints.tally.unwanted > Self.mostUnwanted { drop(endpoint) }
    }

    /// Forgets an endpoint that is not going to be asked any more.
    mutating func drop(_ endpoint: Endpoint) {
        forgetFlood(of: endpoint)
        knownFromHostOnly.remove(endpoint)
        guard let known = endpoints.removeValue(forKey: endpoint) else { return }
        deferred.remove(endpoint)
        if case .waiting = known.question.probing { budget.withdraw(endpoint) }
        if !sessions.contains(endpoint) { forgetReadiness(of: endpoint) }
        if known.holding.isHeld { actions.append(.releaseConnection(endpoint)) }
        endSessionLiveness(of: known)
        // An endpoint that was dropped while it answered, since there were too many of them, is not asked any more.
        if configuration.watches, known.tracker.liveness?.isAlive == true { emit(.liveness(endpoint, .gone)) }
    }

    /// Drops the endpoint that another one replaces, since their interface was renamed: it has kept its index, and its
    /// link-local addresses are the same under another name. The old one goes when the new one has answered, so that
    /// the row answers all the time.
    mutating func replaceRenamed(by endpoint: Endpoint) {
        guard case .v6(let address) = endpoint.address, let scope = address.scope else { return }
        let renamed = endpoints.keys.filter { other in
            guard other.port == endpoint.port, case .v6(let known) = other.address, known.bits == address.bits,
                let knownScope = known.scope
            else { return false }
            return knownScope.index == scope.index && knownScope.name != scope.name
        }.min()
        guard let renamed, let known = endpoints[renamed] else { return }
        for candidate in known.candidates.all {
            if case .service(let instance) = candidate.key {
                services.endpoints[instance]?.removeAll { $0 == renamed }
            }
        }
        drop(renamed)
    }

    private mutating func refuse(_ refused: [Endpoint: TargetRefusal], of instance: ServiceInstance) {
        let known = services.refusals[instance] ?? [:]
        for (endpoint, refusal) in refused.sorted(by: { $0.key < $1.key }) where known[endpoint] != refusal {
            // Another candidate may be allowed to lead there.
            guard endpoints[endpoint] == nil else { continue }
            emit(.probed(endpoint, .nothing(.notAllowed(refusal))))
        }
        services.refusals[instance] = refused.isEmpty ? nil : refused
    }
}
