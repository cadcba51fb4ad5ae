internal import DNSSD

/// The reports to the browser about services: which of them answer, and which are to be doubted.
extension ScanState {
    /// The maximum number of services of one endpoint that are protected. A forger can make any number of services lead
    /// to one gateway, and could otherwise take all the room.
    private static let mostProtected = 4

    /// Protects a service that leads to an endpoint that answers.
    mutating func protectService(_ instance: ServiceInstance, of endpoint: Endpoint) {
        services.reconfirms.clear(instance)
        guard !services.protected.contains(instance), protectedCount(of: endpoint) < Self.mostProtected else { return }
        services.protected.insert(instance)
        actions.append(.protect(instance, true))
    }

    /// Protects the services of an endpoint that has answered: they stay, whatever else is announced.
    mutating func protectServices(of endpoint: Endpoint) {
        for instance in serviceNames(of: endpoint) { protectService(instance, of: endpoint) }
    }

    private func protectedCount(of endpoint: Endpoint) -> Int {
        serviceNames(of: endpoint).count { services.protected.contains($0) }
    }

    /// Returns the services that point at an endpoint, the most trusted first.
    private func serviceNames(of endpoint: Endpoint) -> [ServiceInstance] {
        (endpoints[endpoint]?.candidates.all ?? []).compactMap { candidate in
            if case .service(let instance) = candidate.key { instance } else { nil }
        }
    }

    /// Ends the protection of services: nothing answers any more where they lead, or they no longer lead there.
    mutating func unprotect(_ instances: some Sequence<ServiceInstance>) {
        for instance in instances where services.protected.remove(instance) != nil {
            actions.append(.protect(instance, false))
        }
    }

    /// Ends the protection of the services of an endpoint that lead to nothing else that answers.
    mutating func unprotectServices(of endpoint: Endpoint) {
        unprotect(serviceNames(of: endpoint).filter { !leadsElsewhere($0, than: endpoint) })
    }

    private func leadsElsewhere(_ instance: ServiceInstance, than endpoint: Endpoint) -> Bool {
        (services.endpoints[instance] ?? []).contains { other in
            other != endpoint && endpoints[other]?.tracker.liveness == .answering
        }
    }

    /// Asks for the services of an endpoint at which nothing has answered to be reconfirmed, unless they also lead to
    /// one that answers: they may be long gone (RFC 6762 §10.4).
    ///
    /// A single scan does not do this, since it is over before it could have an effect.
    mutating func doubtServices(of endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard configuration.watches else { return }
        for instance in serviceNames(of: endpoint)
        where !leadsElsewhere(instance, than: endpoint) && services.reconfirms.failed(instance, now: now) {
            actions.append(.reconfirm(instance))
        }
    }
}
