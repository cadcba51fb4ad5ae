internal import DNSSD

/// What a live table shows: what is present, and for a while what is new and what has left. A value: no clock, no I/O.
struct WatchBoard {
    /// How long a mark stays.
    static let markTime = Duration.seconds(10)

    /// What has happened to a service of late.
    enum Mark: Hashable {
        case new
        case changed
        case lost(LossReason)
    }

    private struct Entry {
        var service: Service
        var mark: Mark?
        var markEnds: ContinuousClock.Instant?
    }

    private var entries: [ServiceInstance: Entry] = [:]

    /// Folds a change in.
    mutating func apply(_ change: ServiceChange, now: ContinuousClock.Instant) {
        let mark: Mark
        switch change {
        case .found: mark = .new
        // What is new stays so, also when more becomes known of it.
        case .changed(let service, _): mark = entries[service.instance]?.mark == .new ? .new : .changed
        case .lost(_, let reason): mark = .lost(reason)
        }
        let service = change.service
        entries[service.instance] = Entry(service: service, mark: mark, markEnds: now + Self.markTime)
    }

    /// When the next mark's time is over; `nil` when there is no mark.
    var nextMarkEnds: ContinuousClock.Instant? { entries.values.compactMap(\.markEnds).min() }

    /// Takes off the marks whose time is over, and what has left with them.
    ///
    /// - Returns: Whether anything looks different now.
    mutating func expire(now: ContinuousClock.Instant) -> Bool {
        var isChanged = false
        for (instance, entry) in entries {
            guard let end = entry.markEnds, end <= now else { continue }
            isChanged = true
            if case .lost = entry.mark {
                entries[instance] = nil
            } else {
                entries[instance] = Entry(service: entry.service)
            }
        }
        return isChanged
    }

    /// The services with their marks, sorted as a scan sorts them; those that have left at their former place.
    var rows: [(service: Service, mark: Mark?)] {
        entries.values.sorted { $0.service.instance < $1.service.instance }.map { ($0.service, $0.mark) }
    }

    /// How many are present.
    var count: Int {
        entries.values.count { entry in
            if case .lost = entry.mark { false } else { true }
        }
    }

    /// Those that are present, sorted.
    var services: [Service] {
        rows.compactMap { row in
            if case .lost = row.mark { nil } else { row.service }
        }
    }
}
