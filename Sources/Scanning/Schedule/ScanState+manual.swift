internal import Constellation
internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// The gateways that no DNS-SD shows, as the user enters and removes them.
extension ScanState {
    /// Asks what the user entered. What is there already is not entered twice.
    mutating func add(_ gateway: ManualGateway, now: ContinuousClock.Instant) {
        guard manualEntries[gateway] == nil else { return }
        lastEntry += 1
        let number = lastEntry
        manualEntries[gateway] = number
        let rules = TargetRules(origin: .user, onLink: networks.prefixes)
        let hint = ProbeHint(
            expected: gateway.expected,
            transports: gateway.transports,
            resource: gateway.resource
        )
        for endpoint in gateway.wanted {
            emit(gateway.event(at: endpoint, number: number))
            guard configuration.probes else { continue }
            if let refusal = rules.refusal(of: endpoint) {
                emit(.probed(endpoint, .nothing(.notAllowed(refusal))))
                continue
            }
            let candidate = EndpointCandidate(
                key: .manual(number),
                rules: rules,
                hint: hint,
                standing: .manual,
                host: nil
            )
            add(candidate, to: endpoint, isNews: false, isAnother: false, now: now)
        }
    }

    /// Removes what the user entered: it stays while it answers, as what is not advertised any more does.
    mutating func remove(_ gateway: ManualGateway, now: ContinuousClock.Instant) {
        guard let number = manualEntries[gateway] else { return }
        for event in removeEntry(of: gateway) { emit(event) }
        for endpoint in gateway.wanted { remove(.manual(number), from: endpoint, now: now) }
    }

    /// Forgets what the user entered.
    ///
    /// - Returns: What the map is to be told.
    mutating func removeEntry(of gateway: ManualGateway) -> [BotMapEvent] {
        guard manualEntries.removeValue(forKey: gateway) != nil else { return [] }
        return gateway.wanted.map { endpoint in
            // Another entry may have the same address.
            let others = manualEntries.filter { $0.key.wanted.contains(endpoint) }
            guard let other = others.min(by: { $0.value < $1.value }) else { return .endpointRemoved(endpoint) }
            return other.key.event(at: endpoint, number: other.value)
        }
    }

    /// Has an endpoint show this leaf from now on, or any if it is `nil`. It is asked at once: what it was known as may not
    /// hold any more.
    mutating func pin(_ leaf: LeafFingerprint?, at endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard pins[endpoint] != leaf else { return }
        pins[endpoint] = leaf
        guard endpoints[endpoint] != nil else { return }
        endpoints[endpoint]?.needsProbe = true
        ask(endpoint, at: now)
    }
}

extension ManualGateway {
    /// The endpoints that are asked.
    fileprivate var wanted: ArraySlice<Endpoint> { Set(endpoints).sorted().prefix(ServiceTarget.mostEndpoints) }

    /// The event that tells the map of one of them.
    fileprivate func event(at endpoint: Endpoint, number: Int) -> BotMapEvent {
        .endpointAdded(endpoint, reach, entry: wanted.count > 1 ? "manual entry \(number)" : nil)
    }
}
