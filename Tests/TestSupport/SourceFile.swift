internal import Foundation

/// A Swift file of the package's sources, for tests of how they are written.
package struct SourceFile: Hashable, Sendable {
    /// The path within the package: `Sources/DNSSD/Names/DomainName.swift`.
    package let path: String

    /// Its text.
    package let text: String

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
