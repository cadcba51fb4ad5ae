import Foundation
import Glibc
import SystemPackage
import Testing

@testable import HostSystem

/// Files that say what is run: nobody else may have written them, or may put another one in their place.
@Suite struct AuthorsCheckTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-authors-\(UUID())").path

    private func check(_ path: String) throws {
        let descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: .nonBlocking)
        defer { try? descriptor.close() }
        try AuthorsCheck.check(descriptor, FilePath(path))
    }

    /// Makes a file in a folder within another one, and hands their paths over.
    private func withFile(_ body: (_ outer: String, _ inner: String, _ file: String) throws -> Void) throws {
        let (inner, file) = ("\(folder)/inner", "\(folder)/inner/config.yaml")
        try #require(mkdir(folder, 0o755) == 0 && mkdir(inner, 0o755) == 0)
        try Data().write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder, inner, file)
    }

    @Test(arguments: [0o600, 0o644, 0o755, 0o664, 0o622, 0o666] as [mode_t])
    func nobodyElseMayWriteToIt(mode: mode_t) throws {
        try withFile { outer, inner, file in
            for path in [file, inner, outer] {
                let mode = path == file ? mode : mode | 0o700
                var before = stat()
                try #require(lstat(path, &before) == 0 && chmod(path, mode) == 0)
                defer { chmod(path, before.st_mode & 0o7777) }
                let status = try FileCalls.status(FilePath(path))
                guard mode & 0o002 != 0 || mode & 0o020 != 0 && !OwnGroup.has(status) else {
                    try check(file)
                    continue
                }
                let error = #expect(throws: SafeFileError.self) { try check(file) }
                #expect(error?.code == .openToOthers && error?.path == FilePath(path))
                #expect(error?.found.hasSuffix("Run: chmod go-w \(path)") == true)
            }
        }
    }

    /// A group that a distribution has made for one user lets nobody else write. One that lists others does, one of another
    /// name may be the primary one of others, and root's is theirs on some systems.
    @Test func theGroupOfOneUserAloneIsThatUser() {
        func isPrivate(_ user: uid_t, _ group: String, _ members: [String]) -> Bool {
            OwnGroup(user: user, userName: "anna", primary: 1_000, groupName: group, members: members).isPrivate
        }
        #expect(isPrivate(1_000, "anna", []) && isPrivate(1_000, "anna", ["anna"]))
        #expect(!isPrivate(1_000, "anna", ["anna", "bert"]) && !isPrivate(1_000, "anna", ["bert"]))
        #expect(!isPrivate(1_000, "users", []) && !isPrivate(0, "anna", []))
    }

    @Test(.enabled(if: geteuid() == 0, "takes root, to have files of another user")) func nobodyElseMayOwnIt() throws {
        try withFile { outer, inner, file in
            for path in [file, inner, outer] {
                try #require(chown(path, 12_345, 0) == 0)
                let error = #expect(throws: SafeFileError.self) { try check(file) }
                #expect(error?.code == .otherOwner && error?.path == FilePath(path))
                try #require(chown(path, 0, 0) == 0)
            }
        }
    }

    /// The folders of a link count, and those of the file that it leads to.
    @Test func linksAreFollowed() throws {
        try withFile { outer, inner, file in
            let links = "\(outer)/links"
            try #require(mkdir(links, 0o755) == 0 && symlink(file, "\(links)/config.yaml") == 0)
            try check("\(links)/config.yaml")
            for path in [links, inner, outer] {
                try #require(chmod(path, 0o777) == 0)
                #expect(throws: SafeFileError.self) { try check("\(links)/config.yaml") }
                // Others may add to it, and replace nothing.
                try #require(chmod(path, 0o1777) == 0)
                try check("\(links)/config.yaml")
                try #require(chmod(path, 0o755) == 0)
            }
        }
    }
}
