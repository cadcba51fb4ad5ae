import Constellation
import CoreMetrics
import Discovery
import Foundation
import MetricsTestKit
import TestSupport
import Testing

@testable import Scanning

@Suite struct MetricsGuideTests {
    /// Rule: the guide tells of every label that the scanner, its browser and its map have.
    @Test func everyLabelIsInTheGuide() throws {
        let metrics = TestMetrics()
        withMetricsFactory(metrics) {
            _ = ScannerMetrics()
            _ = Constellation()
            _ = Browser(BrowserConfiguration(types: []), backend: FakeBackend())
        }
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let guide = package.appending(path: "Sources/Clawradar/Clawradar.docc/Metrics.md")
        let text = try String(contentsOf: guide, encoding: .utf8)
        let labels = Set(metrics.counters.map(\.label) + metrics.timers.map(\.label) + metrics.meters.map(\.label))
        #expect(labels.count > 8)
        for label in labels { #expect(text.contains("`\(label)`"), "the guide does not tell of it") }
    }
}
