internal import DNSSD
internal import HeapModule

/// Endpoints that send more than was asked for.
extension ScanState {
    /// The time for which an endpoint is suspect after it has sent too much.
    private static let floodMemory = Duration.seconds(60)

    /// Records that an endpoint has sent more than was asked for: it is checked over short connections for a while, and
    /// is suspect for a minute, whatever it answers over these. Only misses make it gone.
    mutating func flooded(_ endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard let known = endpoints[endpoint] else { return }
        endpoints[endpoint]?.question.close()
        releaseHeldConnection(endpoint)
        if !known.holding.isFlooding { emit(.flooding(endpoint, true)) }
        let end = now + Self.floodMemory
        endpoints[endpoint]?.holding.flooded(until: end, now: now)
        schedule.insert(ScheduledEvent(time: end, purpose: .floodOver(endpoint)))
        if known.question.probing == .none { ask(endpoint, at: now + configuration.interval) }
    }

    /// Ends the flood of an endpoint, so that its answers count again, if nothing more has come since.
    mutating func endFlood(of endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard let end = endpoints[endpoint]?.holding.floodedUntil, end <= now else { return }
        forgetFlood(of: endpoint)
    }

    /// Forgets a flood: it is over, or the gateway that flooded is no longer there.
    mutating func forgetFlood(of endpoint: Endpoint) {
        guard endpoints[endpoint]?.holding.isFlooding == true else { return }
        endpoints[endpoint]?.holding.endFlood()
        emit(.flooding(endpoint, false))
    }
}
