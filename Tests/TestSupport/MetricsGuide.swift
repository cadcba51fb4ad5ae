internal import Foundation

/// The article *Metrics* of Clawradar, which lists the labels of all components.
///
/// Each target with metrics has a test that compares its labels with the article:
///
///     let metrics = TestMetrics()
///     withMetricsFactory(metrics) { _ = ScannerMetrics() }
///     #expect(try MetricsGuide().missing(metrics.counters.map { ($0.label, $0.dimensions) }) == [])
package struct MetricsGuide {
    /// The rows of its table by label.
    private let rows: [String: String]

    /// Reads the article.
    package init() throws {
        // The path of this file is Tests/TestSupport/MetricsGuide.swift within the package.
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let article = package.appending(path: "Sources/Clawradar/Clawradar.docc/Metrics.md")
        let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n").map(String.init)
        let rows = lines.filter { $0.hasPrefix("| `") }.map { row in
            (row.split(separator: "`").dropFirst().first.map(String.init) ?? "", row)
        }
        self.rows = Dictionary(rows) { $0 + $1 }
    }

    /// Returns the labels, and the names of dimensions, that the article does not list, as text.
    package func missing(_ handlers: [(label: String, dimensions: [(String, String)])]) -> [String] {
        var missing: Set<String> = []
        for handler in handlers {
            guard let row = rows[handler.label] else {
                missing.insert(handler.label)
                continue
            }
            for (name, _) in handler.dimensions where !row.contains("`\(name)`: ") {
                missing.insert("\(handler.label) \(name)")
            }
        }
        return missing.sorted()
    }
}
