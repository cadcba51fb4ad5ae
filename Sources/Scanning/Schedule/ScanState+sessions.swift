internal import Constellation
internal import DNSSD

/// Endpoints with which somebody else has a session: it is proof of life, and one connection to each gateway is enough.
extension ScanState {
    /// A session says whether its endpoint answers; `nil` when it has ended. While it lives nothing is asked there; when it
    /// has ended, or has lost the endpoint, that is asked at once what it is: another process may have the port.
    mutating func hear(
        session word: Liveness?,
        of endpoint: Endpoint,
        roundTrip: Duration?,
        now: ContinuousClock.Instant
    ) {
        emit(.sessionLiveness(endpoint, word, roundTrip: roundTrip))
        let owedNews = endpoints[endpoint]?.owesNews == true
        // To the map, the next answer is news then, also where the checks have missed none.
        if word != .answering { endpoints[endpoint]?.owesNews = true }
        guard let word, word.isAlive else { return endSession(with: endpoint, now: now) }
        let isNew = sessions.insert(endpoint).inserted
        guard let known = endpoints[endpoint] else { return }
        deferred.remove(endpoint)
        if word == .suspect { askSiblings(of: known, now: now) }
        if known.answer == nil { endpoints[endpoint]?.isKnownBySession = true }
        if isNew, known.answer == nil { emit(.waiting(endpoint, nil)) }
        releaseHeldConnection(endpoint)
        if case .waiting = known.probing {
            budget.withdraw(endpoint)
            endpoints[endpoint]?.probing = .none
        }
        endpoints[endpoint]?.openQuestion = nil
        endpoints[endpoint]?.isAsked = true
        guard word == .answering, known.answer != nil else { return }
        // Or the verdict of the checks, when it counts again, would be older than this answer.
        if known.tracker.liveness != .answering || owedNews { emit(.liveness(endpoint, .answering)) }
        noteAnswer(endpoint, now: now)
    }

    private mutating func endSession(with endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard sessions.remove(endpoint) != nil else { return }
        // The map may have it from the session yet, and nobody else asks there.
        if droppedInSession.remove(endpoint) != nil { emit(.liveness(endpoint, .gone)) }
        guard endpoints[endpoint] != nil else { return }
        endpoints[endpoint]?.needsProbe = true
        ask(endpoint, at: now)
    }

    /// Tells the map that what it has from a session alone is not so any more: it was asked in vain, or is asked no more.
    mutating func endWordOfSession(on endpoint: ScannedEndpoint) {
        guard endpoint.isKnownBySession else { return }
        guard !sessions.contains(endpoint.endpoint) else {
            if endpoints[endpoint.endpoint] == nil { droppedInSession.insert(endpoint.endpoint) }
            return
        }
        endpoints[endpoint.endpoint]?.isKnownBySession = false
        emit(.liveness(endpoint.endpoint, .gone))
    }
}
