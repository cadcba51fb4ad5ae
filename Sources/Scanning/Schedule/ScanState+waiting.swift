internal import Constellation
internal import DNSSD
internal import DequeModule
internal import GatewayProtocol

/// Saying of what waits why it has not been asked.
extension ScanState {
    /// The time at which something is to be said; `nil` when nothing is.
    var explanationTime: ContinuousClock.Instant? {
        guard let first = unexplained.first else { return nil }
        return min(first.since + Self.explanation, deadline ?? first.since + Self.explanation)
    }

    /// Says it of what waits for its address at once, of what only waits for others after a while, and of everything when
    /// time is up.
    mutating func explainWaiting(now: ContinuousClock.Instant) {
        for probe in arrived where isWaiting(probe) {
            if budget.isBlocked(probe.endpoint) {
                sayWaitsForAddress(probe.endpoint, now: now)
            } else {
                unexplained.append(probe)
            }
        }
        arrived = []
        while let time = explanationTime, let first = unexplained.first {
            guard isWaiting(first) else {
                unexplained.removeFirst()
                continue
            }
            guard time <= now else { return }
            unexplained.removeFirst()
            if budget.isBlocked(first.endpoint) {
                sayWaitsForAddress(first.endpoint, now: now)
            } else {
                emit(.waiting(first.endpoint, .probeLimit))
            }
        }
    }

    private mutating func sayWaitsForAddress(_ endpoint: Endpoint, now: ContinuousClock.Instant) {
        emit(.waiting(endpoint, .addressBudget))
        considerHost(of: endpoint, now: now)
    }

    /// Some of them wait for their address now, and not for others any more.
    mutating func lookAtWaitingAgain() {
        arrived = Array(unexplained) + arrived
        unexplained.removeAll()
    }

    private func isWaiting(_ probe: WaitingProbe) -> Bool {
        endpoints[probe.endpoint]?.probing == .waiting(job: probe.job)
    }
}

/// A probe that waits, and of which it was not told why.
struct WaitingProbe: Sendable {
    let since: ContinuousClock.Instant
    let endpoint: Endpoint
    let job: Int
}
