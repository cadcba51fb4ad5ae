internal import CoreMetrics
internal import Foundation
internal import MetricsTestKit

/// The article *Metrics* of Clawradar, which lists the labels of all components.
///
/// Each target with metrics has a test that compares its labels with the article:
///
///     #expect(try MetricsGuide().missing { _ = ScannerMetrics() } == [])
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

    /// The meaning of the number of each label, in the words of the article.
    package var sentences: [String: String] {
        rows.compactMapValues { row in
            row.split(separator: " | ").last.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " |")) }
        }
    }

    /// The error when no counter was made: then nothing was compared.
    package struct NoCounters: Error {}

    /// Returns the labels, and the names of dimensions, that the article does not list, as text.
    ///
    /// - Parameter make: Creates the handlers whose labels are compared, at least one of them a counter.
    package func missing(_ make: () -> Void) throws -> [String] {
        let metrics = TestMetrics()
        withMetricsFactory(metrics) { make() }
        guard !metrics.counters.isEmpty else { throw NoCounters() }
        let handlers =
            metrics.counters.map { ($0.label, $0.dimensions) } + metrics.timers.map { ($0.label, $0.dimensions) }
            + metrics.meters.map { ($0.label, $0.dimensions) }
        var missing: Set<String> = []
        for (label, dimensions) in handlers {
            guard let row = rows[label] else {
                missing.insert(label)
                continue
            }
            for (name, _) in dimensions where !row.contains("`\(name)`: ") {
                missing.insert("\(label) \(name)")
            }
        }
        return missing.sorted()
    }
}
