internal import Foundation

/// A table in an article of a module that lists the fields of one JSON object. A test compares it with the object.
package enum GuideTable {
    /// Returns the fields in the table under the headline that ends with a name, such as `### A scan: ScanReport`;
    /// `nil` if there is no such headline.
    package static func fields(of name: String, inGuideOf module: String) throws -> Set<String>? {
        // The path of this file is Tests/TestSupport/GuideTable.swift within the package.
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let catalogue = package.appending(path: "Sources/\(module)/\(module).docc")
        let articles = try FileManager.default.contentsOfDirectory(at: catalogue, includingPropertiesForKeys: nil)
        let sections = try articles.filter { $0.pathExtension == "md" }.flatMap { article in
            try String(contentsOf: article, encoding: .utf8).components(separatedBy: "\n### ")
        }
        let section = sections.first { $0.prefix { $0 != "\n" }.hasSuffix(": \(name)") }
        guard let section else { return nil }
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let cells = rows.compactMap { $0.split(separator: "|").first }
        return Set(
            cells.flatMap { $0.split(separator: "`").filter { $0.allSatisfy(\.isLetter) || $0.contains("256") } }.map(
                String.init
            )
        )
    }
}
