import CoreMetrics
import MetricsTestKit
import TestSupport
import Testing

@testable import MulticastDNS

@Suite struct MetricsGuideTests {
    /// The article *Metrics* lists every label and dimension of the embedded engine's metrics.
    @Test func everyLabelIsInTheGuide() throws {
        let metrics = TestMetrics()
        withMetricsFactory(metrics) {
            _ = EngineMetrics()
        }
        let counters = metrics.counters.map { ($0.label, $0.dimensions) }
        let timers = metrics.timers.map { ($0.label, $0.dimensions) }
        let meters = metrics.meters.map { ($0.label, $0.dimensions) }
        #expect(!counters.isEmpty)
        #expect(try MetricsGuide().missing(counters + timers + meters) == [])
    }
}
