import TestSupport
import Testing

@testable import GatewayClient

@Suite struct MetricsGuideTests {
    /// Rule: the guide *Metrics* lists every label of the metrics of connections to gateways.
    @Test func everyLabelIsInTheGuide() throws {
        #expect(try MetricsGuide().missing { _ = ClientMetrics() } == [])
    }
}
