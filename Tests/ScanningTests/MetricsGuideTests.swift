import Constellation
import CoreMetrics
import Discovery
import MetricsTestKit
import TestSupport
import Testing

@testable import Scanning

@Suite struct MetricsGuideTests {
    /// The article *Metrics* lists every label of the scanner, its browser and its map.
    @Test func everyLabelIsInTheGuide() throws {
        let metrics = TestMetrics()
        withMetricsFactory(metrics) {
            _ = ScannerMetrics()
            _ = Constellation()
            _ = Browser(BrowserConfiguration(types: []), backend: FakeBackend())
        }
        let counters = metrics.counters.map { ($0.label, $0.dimensions) }
        let timers = metrics.timers.map { ($0.label, $0.dimensions) }
        let meters = metrics.meters.map { ($0.label, $0.dimensions) }
        #expect(!counters.isEmpty)
        #expect(try MetricsGuide().missing(counters + timers + meters) == [])
    }
}
