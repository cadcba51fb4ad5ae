internal import Foundation

/// A Swift file of the package's sources, for tests of how they are written.
package struct SourceFile: Hashable, Sendable {
    /// The path within the package: `Sources/DNSSD/Names/DomainName.swift`.
    package let path: String

    /// Its text.
    package let text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }

    /// The listings in *Usage* sections of its doc comments: readers will copy them, as those of a guide.
    package var usages: [GuideListing] {
        var usages: [GuideListing] = []
        var isUsage = false
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map({ $0.drop(while: \.isWhitespace) }
        ) {
            // A code block is fenced, or indented by four spaces.
            let isComment = line.hasPrefix("///")
            let comment = line.dropFirst("///".count).drop { $0 == " " }
            let isCode = isComment && (line.hasPrefix("///     ") || lines.first == "```swift")
            if isUsage, isCode || (isComment && comment.hasPrefix("```")) {
                lines.append(String(comment))
            } else if isUsage, !lines.isEmpty, !(isComment && comment.isEmpty) {
                usages.append(Self.listing(lines, in: path))
                (isUsage, lines) = (false, [])
            }
            if isComment, comment == "## Usage" { isUsage = true }
        }
        return usages
    }

    private static func listing(_ lines: [String], in path: String) -> GuideListing {
        let code = lines.first == "```swift" ? Array(lines.dropFirst().prefix { $0 != "```" }) : lines
        return GuideListing(guide: path, lines: code)
    }

    /// Returns the files of a module, sorted by path.
    package static func all(of module: String) throws -> [SourceFile] {
        // The path of this file is Tests/TestSupport/SourceFile.swift within the package.
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = "Sources/\(module)"
        let paths = try FileManager.default.subpathsOfDirectory(atPath: package.appending(path: folder).path)
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            SourceFile(
                path: "\(folder)/\(path)",
                text: try String(contentsOf: package.appending(path: "\(folder)/\(path)"), encoding: .utf8)
            )
        }
    }
}
