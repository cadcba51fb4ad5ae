internal import CoreMetrics

/// The counters of a session, created once.
struct OneShotMetrics: Sendable {
    let received = Self.packets("in")
    let sent = Self.packets("out")
    let lost = Counter(label: "clawradar_one_shot_packets_lost_total")

    private static func packets(_ direction: String) -> Counter {
        Counter(label: "clawradar_one_shot_packets_total", dimensions: [("direction", direction)])
    }
}
