import CoreMetrics
import Testing

@testable import AgentAPI

/// The metrics as Prometheus reads them.
@Suite struct MetricsTests {
    @Test func eachMetricHasItsTypeOnceAndItsSamples() {
        let registry = MetricsRegistry()
        let sent = registry.makeCounter(label: "a_packets_total", dimensions: [("direction", "sent")])
        let received = registry.makeCounter(label: "a_packets_total", dimensions: [("direction", "received")])
        let rows = registry.makeMeter(label: "b_rows", dimensions: [])
        let probe = registry.makeTimer(label: "c_probe_seconds", dimensions: [])
        sent.increment(by: 2)
        registry.makeCounter(label: "a_packets_total", dimensions: [("direction", "sent")]).increment(by: 1)
        received.increment(by: 7)
        rows.set(1.5)
        for _ in 0..<2 { probe.recordNanoseconds(250_000_000) }
        #expect(
            MetricSample.text(registry.samples) == """
                # TYPE a_packets_total counter
                a_packets_total{direction="received"} 7
                a_packets_total{direction="sent"} 3
                # TYPE b_rows gauge
                b_rows 1.5
                # TYPE c_probe_seconds summary
                c_probe_seconds_sum 0.5
                c_probe_seconds_count 2

                """
        )
    }

    /// A value ends at its quotation mark whatever is in it.
    @Test func labelsAreEscaped() {
        let key = MetricKey("up", [("part", "a\"b\\c\nd")])
        #expect(
            MetricSample.text([MetricSample(key, .gauge, 1)]) == "# TYPE up gauge\nup{part=\"a\\\"b\\\\c\\nd\"} 1\n"
        )
    }
}
