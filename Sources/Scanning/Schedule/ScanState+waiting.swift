internal import Constellation
internal import DNSSD
internal import DequeModule
internal import GatewayProtocol

/// The reports of why endpoints that wait have not been asked.
extension ScanState {
    /// The time at which the next report is due; `nil` when none is.
    var explanationTime: ContinuousClock.Instant? {
        guard let first = unexplained.first else { return nil }
        return min(first.since + Self.explanation, deadline ?? first.since + Self.explanation)
    }

    /// Reports the reason at once for endpoints that wait because of their address, after a while for those that only
    /// wait for others, and for all when time is up.
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

    /// Examines the waiting probes again, since some of them may wait because of their address now, and not for others.
    mutating func lookAtWaitingAgain() {
        arrived = Array(unexplained) + arrived
        unexplained.removeAll()
    }

    private func isWaiting(_ probe: WaitingProbe) -> Bool {
        endpoints[probe.endpoint]?.probing == .waiting(job: probe.job)
    }
}

/// A probe that waits, and whose reason has not been reported.
struct WaitingProbe: Sendable {
    let since: ContinuousClock.Instant
    let endpoint: Endpoint
    let job: Int
}
