internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// The gateways that DNS-SD does not show, as the user enters and removes them.
extension ScanState {
    /// Adds a gateway that the user entered, and asks it. One that is there already is not entered twice.
    mutating func add(_ gateway: ManualGateway, now: ContinuousClock.Instant) {
        guard let number = manual.add(gateway) else { return }
        let rules = TargetRules(origin: gateway.source?.origin ?? .user, onLink: networks.prefixes)
        let hint = ProbeHint(expected: gateway.expected, transports: gateway.transports, isOfPlace: true)
        // One address of several may be refused, and the gateway at another one.
        let isRefused = gateway.wanted.allSatisfy { rules.refusal(of: $0) != nil }
        for endpoint in gateway.wanted {
            let refusal = configuration.probes ? rules.refusal(of: endpoint) : nil
            if !gateway.isSought {
                emit(gateway.event(at: endpoint, number: number))
                if let refusal { emit(.probed(endpoint, .nothing(.notAllowed(refusal)))) }
            } else if endpoints[endpoint]?.answer != nil {
                showSought(endpoint)
            } else if isRefused || !configuration.probes {
                showHost(at: endpoint, refusal.map { .notAllowed($0) })
            }
            guard configuration.probes, refusal == nil else { continue }
            let candidate = EndpointCandidate(
                key: .manual(number),
                rules: rules,
                hint: hint,
                standing: gateway.source == nil ? .manual : .firstHand,
                host: nil
            )
            add(candidate, to: endpoint, mayHaveChanged: false, isAnother: false, now: now)
        }
    }

    /// Removes a gateway that the user entered. It stays while it answers, like one that is no longer advertised.
    mutating func remove(_ gateway: ManualGateway, now: ContinuousClock.Instant) {
        guard let number = manual.remove(gateway) else { return }
        for endpoint in gateway.wanted { hide(endpoint) }
        for endpoint in gateway.wanted { remove(.manual(number), from: endpoint, now: now) }
    }

    /// Reports that an entry does not lead to an endpoint any more, unless another one with the same address does.
    mutating func hide(_ endpoint: Endpoint) {
        let isFound = manual.sought.isFound(endpoint)
        let other = manual.first { (!$0.isSought || isFound) && $0.wanted.contains(endpoint) }
        emit(other.map { $0.gateway.event(at: endpoint, number: $0.number) } ?? .endpointRemoved(endpoint))
    }

    /// Requires an endpoint to show this leaf from now on, or allows any if it is `nil`. The endpoint is asked at once,
    /// since its known identity may not hold any more.
    mutating func pin(_ leaf: LeafFingerprint?, at endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard pins[endpoint] != leaf else { return }
        pins[endpoint] = leaf
        guard endpoints[endpoint] != nil else { return }
        endpoints[endpoint]?.question.demands.insert(.probe)
        ask(endpoint, at: now)
    }
}

extension ManualGateway {
    /// The endpoints that are asked.
    var wanted: ArraySlice<Endpoint> { Set(endpoints).sorted().prefix(ServiceTarget.mostEndpoints) }

    /// Returns the event that reports one of them to the map.
    func event(at endpoint: Endpoint, number: Int) -> BotMapEvent {
        .endpointAdded(endpoint, reach, entry: wanted.count > 1 ? "manual entry \(number)" : nil, source: source)
    }
}
