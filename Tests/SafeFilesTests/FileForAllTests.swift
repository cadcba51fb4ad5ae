import Foundation
import Glibc
import SystemPackage
import Testing

@testable import HostSystem

/// Files without secrets, in folders into which others may put things.
@Suite(.timeLimit(.minutes(1))) struct FileForAllTests {
    private func inFolder(_ body: (_ folder: String, _ file: SafeFile) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-for-all-\(UUID())").path
        try #require(mkdir(folder, 0o777) == 0)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder, SafeFile(path: FilePath("\(folder)/a.prom")))
    }

    private func mode(_ path: String) throws -> mode_t {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return status.st_mode
    }

    /// A pipe, a link or a file of others is replaced, and neither waited for nor written to.
    @Test func whatOthersHavePutThereIsReplaced() throws {
        try inFolder { folder, file in
            let victim = "\(folder)/victim"
            try Data("old".utf8).write(to: URL(filePath: victim))
            let puts: [(String) -> Int32] = [
                { mkfifo($0, 0o666) }, { symlink(victim, $0) }, { link(victim, $0) },
            ]
            for put in puts {
                try #require(put(file.path.string) == 0)
                try file.writeForAll(Array("new".utf8))
                #expect(try mode(file.path.string) == S_IFREG | 0o644)
                #expect(try String(contentsOfFile: file.path.string, encoding: .utf8) == "new")
                #expect(try String(contentsOfFile: victim, encoding: .utf8) == "old")
                unlink(file.path.string)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["victim"])
        }
    }

    @Test func aFailureLeavesNothingBehind() throws {
        try inFolder { folder, file in
            try #require(mkdir(file.path.string, 0o755) == 0)
            #expect(throws: SafeFileError.self) { try file.writeForAll([1]) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.prom"])
        }
    }
}
