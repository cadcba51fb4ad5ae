import Foundation
import Testing

@testable import Agent

/// The agent reads its configuration again whenever anything about the file changes.
@Suite struct ConfigurationStampTests {
    /// A file that is opened to others right after it was written, within the same second, is looked at again: it is to be
    /// refused.
    @Test func permissionsCountWithinTheSecond() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-stamp-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = ConfigurationFile(path: folder.appending(path: "config.yaml").path)
        #expect(file.stamp == nil)
        try "gateways: []\n".write(toFile: file.path, atomically: true, encoding: .utf8)
        let before = try #require(file.stamp)
        #expect(file.stamp == before)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
        #expect(file.stamp != before)
    }
}
