import Foundation

/// A temporary folder for the files of one test, which is removed with this object.
final class ScratchFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("clawradar-lab-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Creates a folder that others cannot enter: only in such a one does a gateway open its socket.
    static func `private`() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path)
        return folder
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
