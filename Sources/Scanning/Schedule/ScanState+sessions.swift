internal import DNSSD
internal import GatewayProtocol

/// Endpoints with which another part of the program has a session. A session is proof of life, and one connection to
/// each gateway is enough.
extension ScanState {
    /// Takes in the liveness that a session has reported for its endpoint to the map; `nil` when it has ended. While the session is
    /// alive, nothing is asked there. When it has ended, or has lost the endpoint, that is probed at once: another
    /// process may have the port.
    ///
    /// - Parameter identity: The gateway that answers there, as the map knows it.
    mutating func noteSession(
        _ liveness: Liveness?,
        at endpoint: Endpoint,
        _ identity: GatewayIdentity? = nil,
        now: ContinuousClock.Instant
    ) {
        let mustReport = endpoints[endpoint]?.question.demands.contains(.report) == true
        // The next answer then changes the map, even if no check was missed.
        if liveness != .answering { endpoints[endpoint]?.question.demands.insert(.report) }
        // The session may have answered since, and the map knows of no silence then: the next one is news to it.
        endpoints[endpoint]?.told.silence = nil
        guard let liveness, liveness.isAlive else { return endSession(with: endpoint, now: now) }
        let isNew = sessions.begin(endpoint)
        if let identity {
            let path = GatewayProbePath(endpoint: endpoint, leaf: identity.leaf)
            noteReadiness(of: identity, on: path, isNews: isNew, now: now)
        }
        guard let known = endpoints[endpoint] else { return }
        deferred.remove(endpoint)
        if liveness == .suspect {
            endpoints[endpoint]?.tracker.sessionSuspected(at: now)
            actions.append(.reportSilence(endpoint))
        }
        if known.answer == nil { endpoints[endpoint]?.told.isKnownBySession = true }
        if isNew, known.answer == nil { emit(.waiting(endpoint, nil)) }
        releaseHeldConnection(endpoint)
        if case .waiting = known.question.probing {
            budget.withdraw(endpoint)
            endpoints[endpoint]?.question.probing = .none
        }
        endpoints[endpoint]?.question.close()
        endpoints[endpoint]?.question.isAsked = true
        guard liveness == .answering, known.answer != nil else { return }
        // Otherwise, the result of the checks would be older than this answer when it counts again.
        if known.tracker.liveness != .answering || mustReport { emit(.liveness(endpoint, .answering)) }
        noteAnswer(endpoint, now: now)
    }

    private mutating func endSession(with endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard let wasDropped = sessions.end(endpoint) else { return }
        // Whether it is still there is asked next.
        if endpoints[endpoint]?.tracker.liveness?.isAlive != true { forgetReadiness(of: endpoint) }
        // The map may still know it from the session, and nothing else asks there.
        if wasDropped { emit(.liveness(endpoint, .gone)) }
        guard endpoints[endpoint] != nil else { return }
        endpoints[endpoint]?.tracker.sessionEnded()
        endpoints[endpoint]?.question.demands.insert(.probe)
        ask(endpoint, at: now)
    }

    /// Reports an endpoint as gone that the map knows from a session alone: it was asked in vain, or is asked no more.
    mutating func endSessionLiveness(of endpoint: ScannedEndpoint) {
        guard endpoint.told.isKnownBySession else { return }
        guard !sessions.contains(endpoint.endpoint) else {
            if endpoints[endpoint.endpoint] == nil { sessions.drop(endpoint.endpoint) }
            return
        }
        endpoints[endpoint.endpoint]?.told.isKnownBySession = false
        emit(.liveness(endpoint.endpoint, .gone))
    }
}
