internal import DNSSD

/// The reports of why endpoints that wait have not been asked.
extension ScanState {
    /// The time at which the next report is due; `nil` when none is.
    var explanationTime: ContinuousClock.Instant? {
        guard let first = jobs.unexplained.first else { return nil }
        return min(first.since + Self.explanation, deadline ?? first.since + Self.explanation)
    }

    /// Reports the reason at once for endpoints that wait because of their address, after a while for those that only
    /// wait for others, and for all when time is up.
    mutating func explainWaiting(now: ContinuousClock.Instant) {
        for probe in jobs.takeArrived() where isWaiting(probe.endpoint, job: probe.job) {
            if budget.isBlocked(probe.endpoint) {
                sayWaitsForAddress(probe.endpoint, now: now)
            } else {
                jobs.explainLater(probe)
            }
        }
        while let time = explanationTime, let first = jobs.unexplained.first {
            guard isWaiting(first.endpoint, job: first.job) else {
                jobs.takeUnexplained()
                continue
            }
            guard time <= now else { return }
            jobs.takeUnexplained()
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

    /// Indicates whether a probe of an endpoint waits for its turn.
    func isWaiting(_ endpoint: Endpoint, job: Int) -> Bool {
        endpoints[endpoint]?.question.probing == .waiting(job: job)
    }
}
