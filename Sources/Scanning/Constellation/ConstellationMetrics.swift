internal import CoreMetrics

/// The counters of a ``Constellation``, made once. The map itself is a value, and counts nothing.
struct ConstellationMetrics: Sendable {
    let events = Counter(label: "clawradar_map_events_total")
    private let rows = Meter(label: "clawradar_map_rows")
    private let found = Self.changes("found")
    private let changed = Self.changes("changed")
    private let lost = Self.changes("lost")
    private let joined = Self.changes("joined")
    private let problems = Self.changes("problem")

    private static func changes(_ change: String) -> Counter {
        Counter(label: "clawradar_map_changes_total", dimensions: [("change", change)])
    }

    /// Counts the changes of rows among those that readers get.
    func note(_ changes: [ConstellationChange], rows: Int) {
        for case .gateway(let change) in changes {
            switch change {
            case .found: found.increment()
            case .changed: changed.increment()
            case .lost: lost.increment()
            case .joined: joined.increment()
            case .problem: problems.increment()
            }
        }
        self.rows.set(rows)
    }
}
