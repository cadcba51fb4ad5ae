import Foundation

/// A folder for the files of one test, which goes with it.
final class ScratchFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("clawradar-lab-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in it, which need not be there.
    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Copies one of its files, and tells the path of the copy.
    func copy(_ name: String, as copy: String) throws -> String {
        try FileManager.default.copyItem(atPath: path(name), toPath: path(copy))
        return path(copy)
    }
}
