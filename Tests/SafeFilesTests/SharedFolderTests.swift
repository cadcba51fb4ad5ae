import Foundation
import SystemPackage
import Testing

@testable import HostSystem

/// Folders that a group may enter: nobody else may, and the group changes nothing.
@Suite struct SharedFolderTests {
    @Test(arguments: [(0o700, true), (0o750, true), (0o770, false), (0o755, false), (0o751, false)])
    func onlyItsGroupMayEnter(_ mode: Int, _ isAllowed: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-shared-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
        let shared = SharedFolder(path: FilePath(folder.path))
        if isAllowed {
            try shared.check()
        } else {
            let error = #expect(throws: SafeFileError.self) { try shared.check() }
            #expect(error?.code == .openToOthers && "\(error.map { "\($0)" } ?? "")".contains("chmod 750"))
        }
    }
}
