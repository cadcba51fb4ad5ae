import Foundation
import Glibc
import SystemPackage
import Testing

@testable import HostSystem

/// Secrets are read from the files that people and containers keep them in, or refused with the cause; never sent as they
/// are, to be refused by the gateway, and never a fault of the program.
@Suite struct SecretTextTests {
    @Test(
        arguments: [
            Array("t0ken".utf8), Array("  t0ken\r\n\n".utf8), [0xEF, 0xBB, 0xBF] + Array("t0ken\n".utf8),
            [0xFF, 0xFE] + "t0ken\r\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
            [0xFE, 0xFF] + "t0ken".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
        ] as [[UInt8]]
    )
    func theTextIsRead(content: [UInt8]) throws {
        #expect(try SecretText(content).bytes == Array("t0ken".utf8))
    }

    @Test(
        arguments: [
            ("t0ken".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, "UTF-16"),
            (Array("one\ntwo".utf8), "several lines"),
            ([0x74, 0xFF, 0x74], "UTF-8"), (Array("a\u{1B}b".utf8), "control"), ([0xFF, 0xFE, 0x41], "cut off"),
        ] as [([UInt8], String)]
    )
    func theCauseIsSaid(content: [UInt8], cause: String) throws {
        let problem = #expect(throws: SecretText.Problem.self) { try SecretText(content) }
        #expect(problem?.description.contains(cause) == true)
    }

    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-secret-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func write(_ path: String, mode: Int) throws {
        try Data("t0ken\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Kubernetes gives secrets as symbolic links to files.
    @Test func aLinkIsFollowed() throws {
        try inFolder { folder in
            try write("\(folder)/data", mode: 0o600)
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/token", withDestinationPath: "data")
            #expect(try SecretText.read(FilePath("\(folder)/token"), limit: 64)?.bytes == Array("t0ken".utf8))
            #expect(try SecretText.read(FilePath("\(folder)/none"), limit: 64) == nil)
        }
    }

    /// Root's files are taken though others may read them, as Docker gives them, but not if others may write to them; any
    /// other user's file is taken only if its owner alone may read it.
    @Test func theOwnerAndTheModeDecide() throws {
        #expect(status(0o444, owner: 0).isRootsToRead && status(0o644, owner: 0).isRootsToRead)
        #expect(!status(0o664, owner: 0).isRootsToRead && !status(0o666, owner: 0).isRootsToRead)
        #expect(!status(0o444, owner: 1_000).isRootsToRead)
        try inFolder { folder in
            try write("\(folder)/open", mode: 0o666)
            let error = #expect(throws: SafeFileError.self) {
                try SecretText.read(FilePath("\(folder)/open"), limit: 64)
            }
            #expect(error?.code == .openToOthers)
            let folderError = #expect(throws: SafeFileError.self) { try SecretText.read(FilePath(folder), limit: 64) }
            #expect(folderError?.code == .notRegular)
        }
    }

    private func status(_ mode: UInt32, owner: UInt32) -> FileCalls.Status {
        FileCalls.Status(mode: S_IFREG | mode, owner: owner, device: 1, number: 1, size: 1)
    }
}
