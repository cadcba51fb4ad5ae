internal import CoreMetrics

/// The counters of an engine, created once.
struct EngineMetrics: Sendable {
    let received = Self.packets("in")
    let sent = Self.packets("out")
    let queries = Counter(label: "clawradar_mdns_queries_total")
    let instances = Meter(label: "clawradar_mdns_cached_instances")

    /// Packets that the system dropped before they were read, or found damaged.
    let lost = Self.dropped("lost")

    /// Packets that cannot have come from the link (RFC 6762 §11).
    let offLink = Self.dropped("off_link")

    /// Packets that are not DNS messages.
    let malformed = Self.dropped("malformed")

    /// Packets of which something could not be read, and the rest was used.
    let incomplete = Counter(label: "clawradar_mdns_packets_incomplete_total")

    private static func packets(_ direction: String) -> Counter {
        Counter(label: "clawradar_mdns_packets_total", dimensions: [("direction", direction)])
    }

    private static func dropped(_ reason: String) -> Counter {
        Counter(label: "clawradar_mdns_packets_dropped_total", dimensions: [("reason", reason)])
    }
}
