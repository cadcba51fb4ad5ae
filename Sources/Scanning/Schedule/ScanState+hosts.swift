internal import DNSSD
internal import HeapModule

/// Asking hosts themselves which services they have, where so many lead to their addresses that what is true has to wait.
///
/// Avahi does not tell who has sent a record. What a host has said itself, to us alone, nobody else has made up.
extension ScanState {
    /// The most types that a host is asked for.
    private static let mostTypesOfHost = 8

    /// Notes that an endpoint waits since its address has seen enough connections.
    mutating func considerHost(of endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard mayGain(endpoint), hosts.add(endpoint, now: now) else { return }
        look(atHost: endpoint.address, now: now)
    }

    /// The time has come to ask a host.
    mutating func look(atHost address: IPAddress, now: ContinuousClock.Instant) {
        // Taken out, since it is asked about what is in here.
        var hosts = HostTable()
        swap(&hosts, &self.hosts)
        let turn = hosts.takeTurn(of: address, now: now) { mayGain($0) }
        swap(&hosts, &self.hosts)
        guard let turn else { return }
        schedule.insert(ScheduledQuestion(time: turn.next, purpose: .askHost(address)))
        if let waiting = turn.waiting { actions.append(.askHost(address, types(at: waiting))) }
    }

    /// Whether an endpoint waits for its turn, and would have it sooner if its host said that the service is there.
    private func mayGain(_ endpoint: Endpoint) -> Bool {
        guard let known = endpoints[endpoint], case .waiting = known.probing else { return false }
        return known.standing > .confirmed && known.candidates.contains { $0.service?.domain == "local" }
    }

    private func types(at waiting: Set<Endpoint>) -> [ServiceType] {
        var types: Set<ServiceType> = []
        for endpoint in waiting {
            for candidate in endpoints[endpoint]?.candidates ?? [] {
                if let service = candidate.service, service.domain == "local" { types.insert(service.type) }
            }
            if types.count >= Self.mostTypesOfHost { break }
        }
        return Array(types.sorted().prefix(Self.mostTypesOfHost))
    }

    // MARK: Answers

    /// A host has said which services it has. That is believed of its own address alone.
    mutating func hostTold(_ address: IPAddress, _ services: [HostService], now: ContinuousClock.Instant) {
        for service in services {
            for endpoint in endpointsByService[service.instance] ?? []
            where endpoint.address == address && service.port.map({ $0 == endpoint.port }) ?? true {
                confirm(service.instance, at: endpoint, now: now)
            }
        }
    }

    /// A host has been asked, whether it has answered or not.
    mutating func hostEnded(_ address: IPAddress) { hosts.ended(address) }

    private mutating func confirm(_ instance: ServiceInstance, at endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard let former = endpoints[endpoint] else { return }
        endpoints[endpoint]?.confirm(.service(instance))
        guard case .waiting = former.probing, let standing = endpoints[endpoint]?.standing, standing < former.standing
        else { return }
        budget.withdraw(endpoint)
        endpoints[endpoint]?.probing = .none
        enqueueProbe(endpoint, now: now)
    }
}
