internal import GatewayClient
internal import GatewayProtocol

/// The intervals between the checks of gateways, and the connections that may be held for them.
extension ScanState {
    /// The interval at which the first path of each gateway is checked: while nobody watches, no more often than its other
    /// paths.
    var pace: Duration {
        let interval = isWatched ? configuration.interval : configuration.refresh
        return max(interval, .seconds(1) * endpoints.tally.primaries / configuration.checksPerSecond)
    }

    /// Sets whether somebody watches. Gateways that were asked some time ago are then asked soon.
    mutating func setWatched(_ isWatched: Bool, now: ContinuousClock.Instant) {
        guard self.isWatched != isWatched else { return }
        self.isWatched = isWatched
        guard configuration.watches else { return }
        for endpoint in endpoints.keys.sorted() {
            guard let known = endpoints[endpoint] else { continue }
            guard isWatched else {
                if !known.leads, known.question.open == nil { releaseHeldConnection(endpoint) }
                continue
            }
            guard known.tracker.liveness == .answering, !sessions.contains(endpoint), !known.question.isUnderWay
            else { continue }
            // Spread by the pace of all checks.
            let time = now + (known.leads ? configuration.interval : paceBesides(known, now: now))
            if known.turn.time.map({ $0 > time }) ?? true { ask(endpoint, at: time) }
        }
    }

    /// Returns the interval at which a path is checked that is not its gateway's first.
    ///
    /// While somebody watches, it is short enough to tell within seconds that the path is lost, as far as the first paths
    /// leave room and a connection is held: connections that are made anew for each check are rationed for each address.
    func paceBesides(_ known: ScannedEndpoint, now: ContinuousClock.Instant) -> Duration {
        guard isWatched, known.holding.isHeld || budget.waiting == 0 && mayHold(known, now: now) else {
            return configuration.refresh
        }
        let (tally, perSecond) = (endpoints.tally, configuration.checksPerSecond)
        // At this pace, the first paths need at most all checks of a second.
        let rest = perSecond - min(perSecond, Int(Double(tally.primaries) / (pace / .seconds(1))))
        guard rest > 0 else { return configuration.refresh }
        // Only those over held connections share it.
        let sharing = min(tally.others, max(1, configuration.heldConnections - tally.primaries))
        let share = .seconds(1) * sharing / rest
        return min(max(configuration.interval * 3 / 2, share), configuration.refresh)
    }

    /// Indicates whether a connection may be held to an endpoint: to another path only while somebody watches, and where
    /// the first paths of all gateways leave room.
    func mayHold(_ known: ScannedEndpoint, now: ContinuousClock.Instant) -> Bool {
        guard let answer = known.answer, known.holding.mayHold(at: now) else { return false }
        let hasRoom =
            known.leads
            ? endpoints.tally.held < configuration.heldConnections
            : isWatched && endpoints.tally.primaries + endpoints.tally.heldBesides < configuration.heldConnections
        return hasRoom && LivenessCheck(path: answer.path, dialect: answer.identity.dialect).canBeHeld
    }

    /// Indicates whether a held connection may stay: one to another path makes room for those to first paths.
    func mayStay(_ known: ScannedEndpoint) -> Bool {
        let (tally, most) = (endpoints.tally, configuration.heldConnections)
        return known.leads || isWatched && tally.primaries + tally.heldBesides <= most
    }
}
