internal import Constellation
internal import DNSSD
internal import HeapModule

/// Endpoints that send more than anybody has asked for.
extension ScanState {
    /// The time for which a connection over which too much came is not kept again, at first and at most.
    private static let firstFloodWait = Duration.seconds(60)
    private static let longestFloodWait = Duration.seconds(3_600)

    /// The time that an endpoint is suspect after too much has come from it.
    private static let floodMemory = Duration.seconds(60)

    /// More came than anybody had asked for: it is asked over short connections for a while, and is suspect for a minute,
    /// whatever it answers over these. Gone it is by misses alone.
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

    /// Returns the time from which a connection may be kept again, and the wait until then. Each one that floods
    /// doubles the wait; what comes over short connections in the meantime does not.
    private static func wait(
        after former: (time: ContinuousClock.Instant, wait: Duration)?,
        now: ContinuousClock.Instant
    ) -> (time: ContinuousClock.Instant, wait: Duration) {
        guard let former else { return (now + firstFloodWait, firstFloodWait) }
        guard former.time <= now else { return former }
        let wait = min(former.wait * 2, longestFloodWait)
        return (now + wait, wait)
    }

    /// The time has come to believe an endpoint's answers again, if nothing more has come since.
    mutating func endFlood(of endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard let end = endpoints[endpoint]?.floodedUntil, end <= now else { return }
        forgetFlood(of: endpoint)
    }

    /// Forgets a flood: what is there now, or nothing, is not what has flooded.
    mutating func forgetFlood(of endpoint: Endpoint) {
        guard endpoints[endpoint]?.floodedUntil != nil else { return }
        endpoints[endpoint]?.floodedUntil = nil
        emit(.flooding(endpoint, false))
    }
}
