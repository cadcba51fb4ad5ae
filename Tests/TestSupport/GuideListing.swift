internal import Foundation

/// A Swift listing in a module's DocC catalogue. Readers will copy it, so it must compile.
///
/// The listings of a guide are repeated word for word in a test file, whose comments say so. A test compares them:
///
///     @Test func theGuideIsCompiled() throws {
///         let listings = try GuideListing.all(ofModule: "Scanning/Constellation")
///         #expect(!listings.isEmpty)
///         #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
///     }
///
/// Only indentation, empty lines and the positions of imports may differ.
package struct GuideListing: Hashable, CustomStringConvertible {
    /// The name of the file that contains the listing.
    package let guide: String

    /// The lines without indentation, leaving out imports and empty lines.
    let code: [String]

    /// The import lines.
    let imports: [String]

    package var description: String {
        "a listing of \(guide) that begins with “\((code.first ?? imports.first) ?? "")”"
    }

    /// Creates a listing from these lines.
    init(guide: String, lines: [String]) {
        self.guide = guide
        let lines = Self.trimmed(lines)
        self.code = lines.filter { !$0.hasPrefix("import ") }
        self.imports = lines.filter { $0.hasPrefix("import ") }
    }

    /// Returns the listings of all articles in a module's catalogue, `Sources/MODULE/MODULE.docc`, or in a folder of that:
    /// `MODULE/FOLDER`.
    package static func all(ofModule module: String) throws -> [GuideListing] {
        // The path of this file is Tests/TestSupport/GuideListing.swift within the package.
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let parts = module.split(separator: "/", maxSplits: 1)
        let catalogue = package.appending(path: "Sources/\(parts[0])/\(parts[0]).docc/\(parts.dropFirst().joined())")
        let files = try FileManager.default.contentsOfDirectory(at: catalogue, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }.flatMap { file in
            all(inMarkdown: try String(contentsOf: file, encoding: .utf8), guide: file.lastPathComponent)
        }
    }

    /// Returns the listings in one Markdown text: its blocks fenced with three backticks and `swift`, in order.
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

    /// Returns whether a source file contains the listing's lines in direct succession, and all its imports.
    package func isCompiled(in path: String) throws -> Bool {
        isCompiled(inSource: try String(contentsOf: URL(filePath: path), encoding: .utf8))
    }

    /// Returns whether a source text contains the listing's lines in direct succession, and all its imports.
    package func isCompiled(inSource text: String) -> Bool {
        let lines = Self.trimmed(text.split(separator: "\n").map(String.init))
        guard imports.allSatisfy(lines.contains), Set(imports).count == imports.count else { return false }
        guard !code.isEmpty else { return true }
        return lines.indices.contains { lines[$0...].starts(with: code) }
    }

    private static func trimmed(_ lines: [String]) -> [String] {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
