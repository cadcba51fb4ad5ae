import Discovery
import TestSupport
import Testing

@testable import Scanning

@Suite struct MetricsGuideTests {
    /// The article *Metrics* lists every label of the scanner, its browser and its map.
    @Test func everyLabelIsInTheGuide() throws {
        let missing = try MetricsGuide().missing {
            _ = ScannerMetrics()
            _ = Constellation()
            _ = Browser(BrowserConfiguration(types: []), backend: FakeBackend())
        }
        #expect(missing == [])
    }
}
