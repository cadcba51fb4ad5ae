import TestSupport
import Testing

@testable import Discovery

@Suite struct MetricsGuideTests {
    /// The article *Metrics* lists every label and dimension of the one-shot query's metrics.
    @Test func everyLabelIsInTheGuide() throws {
        #expect(try MetricsGuide().missing { _ = OneShotMetrics() } == [])
    }
}
