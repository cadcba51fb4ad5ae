import CoreMetrics
import MetricsTestKit
import Testing

@testable import GatewayClient

@Suite struct ClientMetricsTests {
    /// Rule: each reason for a failure to connect has a counter of its own, which exists before the first failure.
    @Test func failuresAreCountedByTheirCode() throws {
        let metrics = TestMetrics()
        let client = withMetricsFactory(metrics) { ClientMetrics() }
        for code in GatewayConnectionError.Code.allCases { client.noteFailure(code) }
        client.noteFailure(.refused)
        let failures = metrics.counters.filter { $0.label == "clawradar_gateway_connection_failures_total" }
        #expect(failures.count == GatewayConnectionError.Code.allCases.count)
        for counter in failures {
            let isRefused = counter.dimensions.contains { $0 == ("code", "refused") }
            #expect(counter.totalValue == (isRefused ? 2 : 1))
        }
    }
}
