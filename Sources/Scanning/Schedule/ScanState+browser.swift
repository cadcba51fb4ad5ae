internal import Constellation
internal import DNSSD

/// The reports to the browser about services: which of them answer, and which are to be doubted.
extension ScanState {
    /// The most services of one endpoint that are protected. A forger may have any number lead to one gateway, and could
    /// take all the room there is.
    private static let mostProtected = 4

    /// A service leads to an endpoint that answers.
    mutating func protectService(_ instance: ServiceInstance, of endpoint: Endpoint) {
        reconfirms.clear(instance)
        guard !protected.contains(instance), protectedCount(of: endpoint) < Self.mostProtected else { return }
        protected.insert(instance)
        actions.append(.protect(instance, true))
    }

    /// Something has answered at an endpoint: its services stay, whatever else comes.
    mutating func protectServices(of endpoint: Endpoint) {
        for instance in services(of: endpoint) { protectService(instance, of: endpoint) }
    }

    private func protectedCount(of endpoint: Endpoint) -> Int {
        services(of: endpoint).count { protected.contains($0) }
    }

    /// The services that point at an endpoint, the most trusted first.
    private func services(of endpoint: Endpoint) -> [ServiceInstance] {
        (endpoints[endpoint]?.candidates ?? []).compactMap { candidate in
            if case .service(let instance) = candidate.key { instance } else { nil }
        }
    }

    /// Nothing answers any more where services lead, or they do not lead there any more.
    mutating func unprotect(_ services: some Sequence<ServiceInstance>) {
        for instance in services where protected.remove(instance) != nil { actions.append(.protect(instance, false)) }
    }

    /// Lets go of the services of an endpoint that lead to nothing else that answers.
    mutating func unprotectServices(of endpoint: Endpoint) {
        unprotect(services(of: endpoint).filter { !leadsElsewhere($0, than: endpoint) })
    }

    private func leadsElsewhere(_ instance: ServiceInstance, than endpoint: Endpoint) -> Bool {
        (endpointsByService[instance] ?? []).contains { other in
            other != endpoint && endpoints[other]?.tracker.liveness == .answering
        }
    }

    /// Nothing has answered at an endpoint: what leads there, and nowhere else where something answers, may be long gone
    /// (RFC 6762 §10.4).
    ///
    /// Not in a single look, which is over before anything could come of it.
    mutating func doubtServices(of endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard configuration.watches else { return }
        for instance in services(of: endpoint)
        where !leadsElsewhere(instance, than: endpoint) && reconfirms.failed(instance, now: now) {
            actions.append(.reconfirm(instance))
        }
    }
}
