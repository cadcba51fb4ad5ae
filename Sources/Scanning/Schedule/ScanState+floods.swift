internal import Constellation
internal import DNSSD
internal import HeapModule

/// Endpoints that send more than was asked for.
extension ScanState {
    /// The shortest and longest time for which no connection to an endpoint is held after one over which too much came.
    private static let firstFloodWait = Duration.seconds(60)
    private static let longestFloodWait = Duration.seconds(3_600)

    /// The time for which an endpoint is suspect after it has sent too much.
    private static let floodMemory = Duration.seconds(60)

    /// Records that an endpoint has sent more than was asked for: it is checked over short connections for a while, and
    /// is suspect for a minute, whatever it answers over these. Only misses make it gone.
    mutating func flooded(_ endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard let known = endpoints[endpoint] else { return }
        endpoints[endpoint]?.holdsAgain = Self.wait(after: known.holdsAgain, now: now)
        endpoints[endpoint]?.openQuestion = nil
        releaseHeldConnection(endpoint)
        if known.floodedUntil == nil { emit(.flooding(endpoint, true)) }
        let end = now + Self.floodMemory
        endpoints[endpoint]?.floodedUntil = end
        schedule.insert(ScheduledEvent(time: end, purpose: .floodOver(endpoint)))
        if known.probing == .none { ask(endpoint, at: now + configuration.interval) }
    }

    /// Returns the time from which a connection may be held again, and the wait until then. Each held connection that
    /// floods doubles the wait; short connections that flood in the meantime do not.
    private static func wait(
        after former: (time: ContinuousClock.Instant, wait: Duration)?,
        now: ContinuousClock.Instant
    ) -> (time: ContinuousClock.Instant, wait: Duration) {
        guard let former else { return (now + firstFloodWait, firstFloodWait) }
        guard former.time <= now else { return former }
        let wait = min(former.wait * 2, longestFloodWait)
        return (now + wait, wait)
    }

    /// Ends the flood of an endpoint, so that its answers count again, if nothing more has come since.
    mutating func endFlood(of endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard let end = endpoints[endpoint]?.floodedUntil, end <= now else { return }
        forgetFlood(of: endpoint)
    }

    /// Forgets a flood: it is over, or the gateway that flooded is no longer there.
    mutating func forgetFlood(of endpoint: Endpoint) {
        guard endpoints[endpoint]?.floodedUntil != nil else { return }
        endpoints[endpoint]?.floodedUntil = nil
        emit(.flooding(endpoint, false))
    }
}
