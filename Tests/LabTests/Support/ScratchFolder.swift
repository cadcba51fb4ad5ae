import Foundation

/// A temporary folder for the files of one test, which is removed with this object.
final class ScratchFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("clawradar-lab-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Returns the path of a file in the folder. The file need not exist.
    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Copies one of its files, and returns the path of the copy.
    func copy(_ name: String, as copy: String) throws -> String {
        try FileManager.default.copyItem(atPath: path(name), toPath: path(copy))
        return path(copy)
    }
}
