internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import HeapModule

/// Asking hosts themselves which services they have, where so many lead to their addresses that what is true has to wait.
///
/// Avahi does not tell who has sent a record. What a host has said itself, to us alone, nobody else has made up.
extension ScanState {
    /// The most types that a host is asked for.
    private static let mostTypesOfHost = 8

    /// The most endpoints of which only their own hosts have told.
    private static let mostKnownFromHostOnly = 64

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
        schedule.insert(ScheduledEvent(time: turn.next, purpose: .askHost(address)))
        if let waiting = turn.waiting { actions.append(.askHost(address, types(at: waiting))) }
    }

    /// Indicates whether an endpoint waits for its turn, and would have it sooner if its host said that the service is
    /// there.
    private func mayGain(_ endpoint: Endpoint) -> Bool {
        guard let known = endpoints[endpoint], case .waiting = known.probing else { return false }
        return known.standing > .confirmed && known.candidates.contains { $0.service?.domain == "local" }
    }

    private func types(at waiting: Set<Endpoint>) -> [ServiceType] {
        var types: Set<ServiceType> = []
        for endpoint in waiting.sorted() {
            for candidate in endpoints[endpoint]?.candidates ?? [] {
                if let service = candidate.service, service.domain == "local" { types.insert(service.type) }
            }
            if types.count >= Self.mostTypesOfHost { break }
        }
        return Array(types.sorted().prefix(Self.mostTypesOfHost))
    }

    // MARK: Answers

    /// A host has said which services it has. That is believed of its own address alone.
    ///
    /// Behind thousands of others, a daemon may come to speak of a service many seconds later: what the host tells the port
    /// of is asked before anything else points at it.
    mutating func hostReported(_ address: IPAddress, _ services: [HostService], now: ContinuousClock.Instant) {
        for service in services {
            for endpoint in endpointsByService[service.instance] ?? []
            where endpoint.address == address && service.port.map({ $0 == endpoint.port }) ?? true {
                change(endpoint, now: now) { $0.confirm(.service(service.instance)) }
            }
            guard let port = service.port, !networks.isOwn(address) else { continue }
            let hint = ProbeHint(
                expected: GatewayProbeTarget.expected(of: service.instance.type),
                transports: .plainFirst
            )
            consider(Endpoint(address: address, port: port), hint, now: now)
        }
    }

    /// A host has been asked, whether it has answered or not.
    mutating func hostEnded(_ address: IPAddress) { hosts.ended(address) }

    /// Takes in where a host has said that a service of its own is.
    private mutating func consider(_ endpoint: Endpoint, _ hint: ProbeHint, now: ContinuousClock.Instant) {
        guard endpoints[endpoint] == nil else {
            return change(endpoint, now: now) { if $0.hostHint == nil { $0.hostHint = hint } }
        }
        let rules = TargetRules(origin: .network, onLink: networks.prefixes)
        guard knownFromHostOnly.count < Self.mostKnownFromHostOnly, rules.refusal(of: endpoint) == nil else { return }
        lastEndpoint += 1
        var new = ScannedEndpoint(endpoint, number: lastEndpoint)
        new.hostHint = hint
        new.lastRules = rules
        new.unwantedSince = now
        endpoints.insert(new)
        knownFromHostOnly.insert(endpoint)
        enqueueProbe(endpoint, now: now)
    }

    /// Takes in what a host has said of an endpoint, and has that asked sooner if it waits.
    private mutating func change(
        _ endpoint: Endpoint,
        now: ContinuousClock.Instant,
        _ body: (inout ScannedEndpoint) -> Void
    ) {
        guard let former = endpoints[endpoint], var known = endpoints[endpoint] else { return }
        body(&known)
        endpoints[endpoint] = known
        guard case .waiting = former.probing, known.standing < former.standing else { return }
        budget.withdraw(endpoint)
        endpoints[endpoint]?.probing = .none
        enqueueProbe(endpoint, now: now)
    }
}
