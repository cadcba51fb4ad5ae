import TestSupport
import Testing

@testable import Pairing

@Suite struct MetricsGuideTests {
    /// The article *Metrics* lists every label of pairings.
    @Test func everyLabelIsInTheGuide() throws {
        #expect(try MetricsGuide().missing { _ = (PairingMetrics(), CloudMetrics()) } == [])
    }
}
