import TestSupport
import Testing

@testable import Pairing

@Suite struct MetricsGuideTests {
    /// The article *Metrics* lists every label of sessions.
    @Test func everyLabelIsInTheGuide() throws {
        #expect(try MetricsGuide().missing { _ = ConnectionsMetrics() } == [])
    }
}
