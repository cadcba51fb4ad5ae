internal import DNSSD
internal import Logging

/// Reporting to browses.
extension MulticastDNSEngine {
    /// Reports a warning to the user, each kind once.
    func warn(_ warning: BackendWarning) {
        guard !condition.warnings.contains(where: { $0.code == warning.code }) else { return }
        condition.warnings.append(warning)
        // A process that only publishes has no browse to report to.
        if browses.isEmpty { logger?.warning("\(warning)") }
        for browse in browses.values { browse.report([.warning(warning)]) }
    }

    /// Reports events to the browses that they are for, in order.
    func deliver(_ events: [QuerierEvent]) {
        var reported: [BrowseID: [BrowseEvent]] = [:]
        for event in events {
            switch event {
            case .sighted(let sighting, let ids):
                for id in ids { reported[id, default: []].append(.sighted(sighting)) }
            case .vanished(let instance, let path, let reason, let ids):
                for id in ids { reported[id, default: []].append(.vanished(instance, path, reason)) }
            case .warning(let warning):
                warn(warning)
            }
        }
        for (id, events) in reported { browses[id]?.report(events) }
    }

    /// Reports the losses since the last report.
    func reportLosses() {
        guard !condition.losses.isEmpty else { return }
        for browse in browses.values { browse.report([.losses(condition.losses)]) }
        condition.losses = BackendLosses()
    }

    /// Reports to each browse whether the engine works, and whether more is to be expected, if that has changed.
    func reportStatus() {
        let status: BackendStatus =
            if let trouble = condition.trouble, ports.isEmpty { .unavailable(trouble) } else { .running }
        let expectation = ports.values.compactMap(\.querier.expectation).max()
        let activity = expectation.map { BackendActivity.expecting(until: $0) } ?? .idle
        for (id, browse) in browses {
            var events: [BrowseEvent] = []
            if browse.status != status { events.append(.status(status)) }
            if browse.activity != activity { events.append(.activity(activity)) }
            guard !events.isEmpty else { continue }
            browses[id]?.status = status
            browses[id]?.activity = activity
            browse.report(events)
        }
    }
}
