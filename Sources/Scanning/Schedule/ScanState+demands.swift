/// The demands of the map: which endpoints it wants to know more of, and why. It alone knows who claims to be whom, and
/// which endpoints are one gateway.
extension ScanState {
    /// Serves demands, as far as the endpoints are asked at all.
    mutating func serve(_ demands: [EndpointDemand], now: ContinuousClock.Instant) {
        for demand in demands { serve(demand, now: now) }
    }

    private mutating func serve(_ demand: EndpointDemand, now: ContinuousClock.Instant) {
        let endpoint = demand.endpoint
        guard let known = endpoints[endpoint] else { return }
        switch demand.reason {
        case .claimed, .withdrawn:
            endpoints[endpoint]?.question.demands.insert(.report)
            expedite(endpoint, isProbe: false, now: now)
        case .newIdentity:
            endpoints[endpoint]?.question.demands.insert(.report)
        case .replaced:
            endpoints[endpoint]?.question.demands.insert(.report)
            endpoints[endpoint]?.question.outdate()
            expedite(endpoint, isProbe: true, now: now)
        case .changedElsewhere:
            endpoints[endpoint]?.question.outdate()
            endpoints[endpoint]?.question.demands.insert(.probe)
            ask(endpoint, at: now)
        case .silentElsewhere:
            guard known.tracker.liveness != nil else { return }
            // Who watches the gateway has to hear that it answers there, even if that took as long as before.
            endpoints[endpoint]?.question.demands.insert(.report)
            ask(endpoint, at: now)
        case .leads: place(known, leads: true, now: now)
        case .follows: place(known, leads: false, now: now)
        }
    }

    /// Asks the endpoint that decides whether its gateway answers at the pace of such endpoints, and others more seldom.
    private mutating func place(_ known: ScannedEndpoint, leads: Bool, now: ContinuousClock.Instant) {
        guard known.answer != nil, known.leads != leads else { return }
        endpoints[known.endpoint]?.leads = leads
        guard configuration.watches, known.tracker.liveness?.isAlive == true else { return }
        if leads {
            let time = now + pace
            ask(known.endpoint, at: min(time, known.turn.time ?? time))
        } else if known.holding.isHeld, known.question.open == nil, !isWatched {
            releaseHeldConnection(known.endpoint)
        }
    }
}
