import TestSupport
import Testing

@testable import Advertising

@Suite struct MetricsGuideTests {
    /// The article *Metrics* lists every label of the advertiser.
    @Test func everyLabelIsInTheGuide() throws {
        #expect(try MetricsGuide().missing { _ = AdvertisingMetrics() } == [])
    }
}
