internal import Foundation

/// A listing of Swift in a module's DocC catalogue: what a reader will copy, so that it has to compile.
///
/// The listings of a guide stand in a test file too, word for word, which says so to its readers; a test compares:
///
///     @Test func theGuideIsCompiled() throws {
///         let listings = try GuideListing.all(ofModule: "Constellation")
///         #expect(!listings.isEmpty)
///         #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
///     }
///
/// Only indentation, empty lines and the place of imports may differ.
package struct GuideListing: Hashable, CustomStringConvertible {
    /// The file it is in.
    package let guide: String

    /// Its lines without indentation, and without those that import or are empty.
    let code: [String]

    /// Its imports.
    let imports: [String]

    package var description: String {
        "a listing of \(guide) that begins with “\((code.first ?? imports.first) ?? "")”"
    }

    /// A listing of these lines.
    init(guide: String, lines: [String]) {
        self.guide = guide
        let lines = Self.trimmed(lines)
        self.code = lines.filter { !$0.hasPrefix("import ") }
        self.imports = lines.filter { $0.hasPrefix("import ") }
    }

    /// The listings of all articles of a module's catalogue, `Sources/MODULE/MODULE.docc`.
    package static func all(ofModule module: String) throws -> [GuideListing] {
        // This file is Tests/TestSupport/GuideListing.swift, wherever the package is.
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let catalogue = package.appending(path: "Sources/\(module)/\(module).docc")
        let files = try FileManager.default.contentsOfDirectory(at: catalogue, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }.flatMap { file in
            all(inMarkdown: try String(contentsOf: file, encoding: .utf8), guide: file.lastPathComponent)
        }
    }

    /// The listings of one Markdown text: its blocks fenced with three backticks and `swift`, in order.
    package static func all(inMarkdown text: String, guide: String) -> [GuideListing] {
        var listings: [GuideListing] = []
        var fence: (isSwift: Bool, lines: [String])?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.drop(while: \.isWhitespace)
            guard trimmed.hasPrefix("```") else {
                fence?.lines.append(String(line))
                continue
            }
            if let closed = fence {
                if closed.isSwift { listings.append(GuideListing(guide: guide, lines: closed.lines)) }
                fence = nil
            } else {
                fence = (trimmed.hasPrefix("```swift"), [])
            }
        }
        if let open = fence, open.isSwift { listings.append(GuideListing(guide: guide, lines: open.lines)) }
        return listings
    }

    /// Indicates whether a source file has the listing's lines one after the other, and all its imports.
    package func isCompiled(in path: String) throws -> Bool {
        isCompiled(inSource: try String(contentsOf: URL(filePath: path), encoding: .utf8))
    }

    /// Indicates whether a source text has the listing's lines one after the other, and all its imports.
    package func isCompiled(inSource text: String) -> Bool {
        let lines = Self.trimmed(text.split(separator: "\n").map(String.init))
        guard imports.allSatisfy(lines.contains) else { return false }
        guard !code.isEmpty else { return true }
        return lines.indices.contains { lines[$0...].starts(with: code) }
    }

    private static func trimmed(_ lines: [String]) -> [String] {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
