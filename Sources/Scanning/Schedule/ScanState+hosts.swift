internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import HeapModule

/// Direct queries of hosts for their services, where so many services lead to their addresses that real ones have to
/// wait.
///
/// Avahi does not report who has sent a record. Nobody else can have made up what a host has answered to this scanner
/// alone.
extension ScanState {
    /// The maximum number of types for which a host is queried.
    private static let mostTypesOfHost = 8

    /// The maximum number of endpoints that are known only from answers of their own hosts.
    private static let mostKnownFromHostOnly = 64

    /// Considers a query of the host of an endpoint that waits since the budget of its address is used up.
    mutating func considerHost(of endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard mayGain(endpoint), hosts.add(endpoint, now: now) else { return }
        look(atHost: endpoint.address, now: now)
    }

    /// Queries a host whose turn has come.
    mutating func look(atHost address: IPAddress, now: ContinuousClock.Instant) {
        // Taken out, since the closure reads `self` while this is changed.
        var hosts = HostTable()
        swap(&hosts, &self.hosts)
        let turn = hosts.takeTurn(of: address, now: now) { mayGain($0) }
        swap(&hosts, &self.hosts)
        guard let turn else { return }
        schedule.insert(ScheduledEvent(time: turn.next, purpose: .askHost(address)))
        if let waiting = turn.waiting { actions.append(.askHost(address, types(at: waiting))) }
    }

    /// Indicates whether an endpoint waits for its turn, and would have it sooner if its host confirmed the service.
    private func mayGain(_ endpoint: Endpoint) -> Bool {
        guard let known = endpoints[endpoint], case .waiting = known.question.probing else { return false }
        return known.standing > .confirmed && known.candidates.all.contains { $0.service?.domain == "local" }
    }

    private func types(at waiting: Set<Endpoint>) -> [ServiceType] {
        var types: Set<ServiceType> = []
        for endpoint in waiting.sorted() {
            for candidate in endpoints[endpoint]?.candidates.all ?? [] {
                if let service = candidate.service, service.domain == "local" { types.insert(service.type) }
            }
            if types.count >= Self.mostTypesOfHost { break }
        }
        return Array(types.sorted().prefix(Self.mostTypesOfHost))
    }

    // MARK: Answers

    /// Takes in the services that a host has reported. That is believed for its own address alone.
    ///
    /// Behind thousands of others, a daemon may report a service many seconds later. An endpoint whose port is in the
    /// host's answer is therefore asked before anything else points at it.
    mutating func hostReported(_ address: IPAddress, _ services: [HostService], now: ContinuousClock.Instant) {
        for service in services {
            for endpoint in self.services.endpoints[service.instance] ?? []
            where endpoint.address == address && service.port.map({ $0 == endpoint.port }) ?? true {
                change(endpoint, now: now) { $0.candidates.confirm(.service(service.instance)) }
            }
            guard let port = service.port, !networks.isOwn(address) else { continue }
            let hint = ProbeHint(
                expected: GatewayProbeTarget.expected(of: service.instance.type),
                transports: .plainFirst
            )
            consider(Endpoint(address: address, port: port), hint, now: now)
        }
    }

    /// Records that the query of a host has ended, whether it has answered or not.
    mutating func hostEnded(_ address: IPAddress) { hosts.ended(address) }

    /// Takes in the endpoint of a service that a host has reported as its own.
    private mutating func consider(_ endpoint: Endpoint, _ hint: ProbeHint, now: ContinuousClock.Instant) {
        guard endpoints[endpoint] == nil else {
            return change(endpoint, now: now) { if $0.candidates.hostHint == nil { $0.candidates.hostHint = hint } }
        }
        let rules = TargetRules(origin: .network, onLink: networks.prefixes)
        guard knownFromHostOnly.count < Self.mostKnownFromHostOnly, rules.refusal(of: endpoint) == nil else { return }
        var new = ScannedEndpoint(endpoint, number: endpoints.nextNumber())
        new.candidates = EndpointCandidates(hostHint: hint, rules: rules, now: now)
        endpoints.insert(new)
        knownFromHostOnly.insert(endpoint)
        enqueueProbe(endpoint, now: now)
    }

    /// Takes in an endpoint's confirmation by its host, and has the endpoint asked sooner if it waits.
    private mutating func change(
        _ endpoint: Endpoint,
        now: ContinuousClock.Instant,
        _ body: (inout ScannedEndpoint) -> Void
    ) {
        guard let former = endpoints[endpoint], var known = endpoints[endpoint] else { return }
        body(&known)
        endpoints[endpoint] = known
        guard case .waiting = former.question.probing, known.standing < former.standing else { return }
        budget.withdraw(endpoint)
        endpoints[endpoint]?.question.probing = .none
        enqueueProbe(endpoint, now: now)
    }
}
