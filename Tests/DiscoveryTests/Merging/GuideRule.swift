import Foundation
import Testing

/// An example of a rule in the guide *Merging sources*: a row of one of its tables, events, and their outcome.
struct GuideRule<Drive>: Sendable, CustomTestStringConvertible {
    let testDescription: String

    /// The first cell of the row that it is an example of.
    private(set) var line = ""

    /// Returns the state at the start of the example.
    private let start: @Sendable () -> Drive

    private let happens: @Sendable (inout Drive) -> Void
    private let expected: [String]
    private let outcome: @Sendable (inout Drive) -> [String]

    /// - Parameters:
    ///   - expected: The outcome.
    ///   - outcome: Reads the outcome once everything has happened.
    init(
        _ description: String,
        _ expected: [String],
        of outcome: @escaping @Sendable (inout Drive) -> [String],
        from start: @escaping @Sendable () -> Drive,
        _ happens: @escaping @Sendable (inout Drive) -> Void
    ) {
        self.testDescription = description
        self.expected = expected
        self.outcome = outcome
        self.start = start
        self.happens = happens
    }

    /// Returns examples of one row of the guide.
    static func of(_ line: String, _ rules: GuideRule...) -> [GuideRule] {
        rules.map { rule in
            var rule = rule
            rule.line = line
            return rule
        }
    }

    func check() {
        var drive = start()
        happens(&drive)
        #expect(outcome(&drive) == expected, "\(line): \(testDescription)")
    }
}

/// The tables of the guide *Merging sources*.
enum MergingGuide {
    /// Returns the rows of the tables in a section.
    static func lines(of section: String) throws -> [String] {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let guide = package.appending(path: "Sources/Discovery/Discovery.docc/MergingSources.md")
        let text = try String(contentsOf: guide, encoding: .utf8)
        let start = try #require(text.range(of: "\n## \(section)\n"), "the guide has no section \(section)")
        let rest = text[start.upperBound...]
        let lines = rest[..<(rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex)].split(separator: "\n")
        // Leaves out the header of the table and its delimiter row.
        return lines.filter { $0.hasPrefix("|") }.dropFirst(2).map(String.init)
    }

    /// Returns the first cells of the rows in a section, by which rules identify their rows.
    static func firstCells(of section: String) throws -> [String] {
        try lines(of: section).map { line in
            try #require(line.split(separator: "|").first).trimmingCharacters(in: .whitespaces)
        }
    }
}
