internal import CoreMetrics
internal import DNSSD

/// The counters of a ``Browser``, made once.
struct BrowserMetrics: Sendable {
    private let found = Self.services("found")
    private let changed = Self.services("changed")
    private let lost = Self.services("lost")
    private let evicted = Counter(label: "clawradar_services_evicted_total")
    private let starting = Self.statuses("starting")
    private let running = Self.statuses("running")
    private let unavailable = Self.statuses("unavailable")

    private static func services(_ event: String) -> Counter {
        Counter(label: "clawradar_services_total", dimensions: [("event", event)])
    }

    private static func statuses(_ status: String) -> Counter {
        Counter(label: "clawradar_backend_status_changes_total", dimensions: [("status", status)])
    }

    func note(_ tally: ServiceTally) {
        if tally.found > 0 { found.increment(by: tally.found) }
        if tally.changed > 0 { changed.increment(by: tally.changed) }
        if tally.lost > 0 { lost.increment(by: tally.lost) }
        if tally.evicted > 0 { evicted.increment(by: tally.evicted) }
    }

    func note(_ status: BackendStatus) {
        switch status {
        case .starting: starting.increment()
        case .running: running.increment()
        case .unavailable: unavailable.increment()
        }
    }
}

/// The numbers of changes that a browser has reported, and of services that it dropped for lack of room.
struct ServiceTally: Hashable {
    var found = 0
    var changed = 0
    var lost = 0
    var evicted = 0

    mutating func note(_ change: ServiceChange) {
        switch change {
        case .found: found += 1
        case .changed: changed += 1
        case .lost: lost += 1
        }
    }
}
