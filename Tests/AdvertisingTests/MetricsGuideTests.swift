import CoreMetrics
import MetricsTestKit
import TestSupport
import Testing

@testable import Advertising

@Suite struct MetricsGuideTests {
    /// Rule: the guide *Metrics* lists every label of the metrics of the advertiser.
    @Test func everyLabelIsInTheGuide() throws {
        let metrics = TestMetrics()
        withMetricsFactory(metrics) {
            _ = AdvertisingMetrics()
        }
        let counters = metrics.counters.map { ($0.label, $0.dimensions) }
        let timers = metrics.timers.map { ($0.label, $0.dimensions) }
        let meters = metrics.meters.map { ($0.label, $0.dimensions) }
        #expect(!counters.isEmpty)
        #expect(try MetricsGuide().missing(counters + timers + meters) == [])
    }
}
