import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import HostSystem

@Suite struct SafeFileTests {
    private static let old = Array("the old content".utf8)
    private static let new = Array(repeating: UInt8(ascii: "n"), count: 100_000)

    /// Runs `body` with a new file that has the old content.
    private func withFile(_ body: (SafeFile, FilePath) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "clawradar-\(UUID())")
        let folder = FilePath(url.path)
        try PrivateFolder(path: folder).prepare()
        defer { try? FileManager.default.removeItem(at: url) }
        let file = SafeFile(path: folder.appending("state.json"))
        try file.write(Self.old)
        try body(file, folder)
    }

    private func names(_ folder: FilePath) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
    }

    private func mode(_ path: FilePath) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path.string)[.posixPermissions] as? Int
    }

    /// A process that is killed while it writes leaves the old or the new content, and no file that others can read or
    /// that stays after the next start.
    @Test(arguments: WriteStep.allCases)
    func aKillLeavesTheOldOrTheNewContent(step: WriteStep) throws {
        for written in [0, 1, 50_000, 100_000] {
            try withFile { file, folder in
                try file.write(Self.new, fault: WriteFault(step: step, outcome: .killed, written: written))
                let isNew = step == .synchronizeFolder || step == .remove
                #expect(try file.read(limit: 1 << 20) == (isNew ? Self.new : Self.old))
                for name in try names(folder) { #expect(try mode(folder.appending(name)) == 0o600) }
                // The program removes leftovers at its next start.
                try file.sweep(isDone: { _ in true }, remove: FileCalls.remove)
                #expect(try names(folder) == ["state.json"])
                #expect(try file.read(limit: 1 << 20) == (isNew ? Self.new : Self.old))
            }
        }
    }

    @Test(
        arguments: [WriteStep.create, .write, .synchronize, .close, .rename],
        [Errno.noSpace, .ioError, .readOnlyFileSystem]
    )
    func aFailureLeavesTheOldContentAndNothingBeside(step: WriteStep, errno: Errno) throws {
        try withFile { file, folder in
            let fault = WriteFault(step: step, outcome: .error(errno), written: 10)
            let error = #expect(throws: SafeFileError.self) { try file.write(Self.new, fault: fault) }
            #expect(error?.errno == errno)
            #expect(error?.path == file.path)
            #expect(error?.code == (errno == .noSpace ? .noSpace : errno == .ioError ? .inputOutput : .readOnly))
            let content = try file.read(limit: 100)
            #expect(content == Self.old)
            #expect(try names(folder) == ["state.json"])
        }
    }

    /// A failure to synchronize the folder has an error code of its own, so that the caller knows that the new content
    /// is in place but may be lost.
    @Test func failureToSynchronizeTheFolderIsToldApart() throws {
        try withFile { file, _ in
            let fault = WriteFault(step: .synchronizeFolder, outcome: .error(.ioError))
            let error = #expect(throws: SafeFileError.self) { try file.write(Self.new, fault: fault) }
            #expect(error?.code == .notDurable)
            let content = try file.read(limit: 1 << 20)
            #expect(content == Self.new)
        }
    }

    /// A sweep removes only temporary files of crashed processes: not those of running processes, of other target
    /// files, or of other programs.
    @Test func aSweepTakesOnlyWhatACrashLeft() throws {
        try withFile { file, folder in
            let random = "0123456789abcdef"
            let stays = [
                ".state.json.1.\(random).tmp", ".state.json.x.\(random).tmp", ".state.json.99999999.0123.tmp",
                ".other.json.99999999.\(random).tmp", "state.json.99999999.tmp", TemporaryName.make(for: file.path),
            ]
            let other = ".state.json.99999999.\(random).tmp"
            // A file of a former process with our process ID is removed too: in a container, each process may have the
            // same ID.
            let former = ".state.json.\(getpid()).\(random).tmp"
            for name in stays + [other, former] {
                try #require(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil))
            }
            try file.sweep()
            #expect(try names(folder) == (stays + ["state.json"]).sorted())
        }
    }

    /// A leftover that cannot be removed does not prevent the removal of the others, since each may contain a secret.
    @Test func aLeftoverThatStaysKeepsNoOther() throws {
        try withFile { file, folder in
            let leftovers = (0..<5).map { ".state.json.99999999.0123456789abcde\($0).tmp" }
            for name in leftovers {
                try #require(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil))
            }
            let error = #expect(throws: SafeFileError.self) {
                try file.sweep(isDone: { _ in true }) { (path) throws(Errno) in
                    switch path.lastComponent?.string {
                    case leftovers[2]: throw .notPermitted
                    // Another process has removed it in the meantime.
                    case leftovers[3]: throw .noSuchFileOrDirectory
                    default: try FileCalls.remove(path)
                    }
                }
            }
            #expect(error?.code == .forbidden)
            #expect(try names(folder) == [leftovers[2], leftovers[3], "state.json"])
        }
    }

    /// A file that others can read is not read, and is readable by its owner alone once it has been written again.
    @Test func whatOthersCanReadIsRefusedAndWrittenAnewForTheOwner() throws {
        try withFile { file, _ in
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path.string)
            let error = #expect(throws: SafeFileError.self) { try file.read(limit: 100) }
            #expect(error?.code == .openToOthers)
            #expect("\(error as Any)".contains("chmod 600"))
            try file.write(Self.new)
            #expect(try mode(file.path) == 0o600)
        }
    }

    /// Symbolic links are refused, so that nobody who can write to the folder redirects a read or a write.
    @Test func symbolicLinksAreRefused() throws {
        try withFile { file, folder in
            let link = SafeFile(path: folder.appending("link"))
            try FileManager.default.createSymbolicLink(
                atPath: link.path.string,
                withDestinationPath: file.path.string
            )
            #expect { try link.read(limit: 100) } throws: { ($0 as? SafeFileError)?.code == .symbolicLink }
            #expect { try link.write(Self.new) } throws: { ($0 as? SafeFileError)?.code == .symbolicLink }
            #expect(try file.read(limit: 100) == Self.old)
            #expect {
                try PrivateFolder(path: link.path).prepare()
            } throws: {
                ($0 as? SafeFileError)?.code == .symbolicLink
            }
        }
    }

    @Test func whatIsNoFileOrTooLongIsRefused() throws {
        try withFile { file, folder in
            #expect { try file.read(limit: 14) } throws: { ($0 as? SafeFileError)?.code == .tooLong }
            #expect(try file.read(limit: 15) == Self.old)
            #expect(try SafeFile.readPlain(file.path, limit: 15) == Self.old)
            #expect(try SafeFile(path: folder.appending("none")).read(limit: 1) == nil)
            let other = SafeFile(path: folder)
            #expect { try other.read(limit: 1) } throws: { ($0 as? SafeFileError)?.code == .notRegular }
            #expect { try other.write([]) } throws: { ($0 as? SafeFileError)?.code == .notRegular }
            #expect {
                try SafeFile(path: folder.appending("none").appending("file")).write([])
            } throws: {
                ($0 as? SafeFileError)?.code == .missing
            }
            // A pipe without a writer must not block the read.
            let pipe = folder.appending("pipe")
            try #require(mkfifo(pipe.string, 0o600) == 0)
            #expect { try SafeFile(path: pipe).read(limit: 1) } throws: { ($0 as? SafeFileError)?.code == .notRegular }
        }
    }

    @Test func aFolderForSecretsIsForItsOwnerAlone() throws {
        try withFile { file, folder in
            #expect(try mode(folder) == 0o700)
            try PrivateFolder(path: folder).prepare()
            try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: folder.string)
            #expect {
                try PrivateFolder(path: folder).prepare()
            } throws: {
                ($0 as? SafeFileError)?.code == .openToOthers
            }
            #expect {
                try PrivateFolder(path: file.path).prepare()
            } throws: {
                ($0 as? SafeFileError)?.code == .notFolder
            }
        }
    }

    /// The parent of a new folder is synchronized, since a power failure could otherwise remove the folder with
    /// everything in it; file systems that cannot do that are no error.
    @Test func aFolderIsKeptByTheDisk() throws {
        try withFile { _, folder in
            var synchronized: [FilePath] = []
            let inner = PrivateFolder(path: folder.appending("inner"))
            try inner.prepare { (path) throws(Errno) in synchronized.append(path) }
            #expect(synchronized == [folder])
            try inner.prepare { (path) throws(Errno) in synchronized.append(path) }
            #expect(synchronized == [folder, folder], "its creator may have been killed before synchronizing")
            let failures: [(Errno, SafeFileError.Code?)] = [
                (.ioError, .notDurable), (.permissionDenied, nil), (.invalidArgument, nil), (.readOnlyFileSystem, nil),
            ]
            for (errno, code) in failures {
                let other = PrivateFolder(path: folder.appending("\(errno.rawValue)"))
                var found: SafeFileError.Code?
                do throws(SafeFileError) {
                    try other.prepare { (_) throws(Errno) in throw errno }
                } catch {
                    found = error.code
                }
                #expect(found == code)
                try other.check()
            }
        }
    }

    /// The parent of each created folder is synchronized, since a folder is lost together with its parent.
    @Test func parentsThatAreMadeAreKeptByTheDisk() throws {
        try withFile { _, folder in
            var synchronized: [FilePath] = []
            func prepare(_ name: String) throws {
                synchronized = []
                try PrivateFolder(path: folder.appending(name)).prepareWithParents { (path) throws(Errno) in
                    synchronized.append(path)
                }
            }
            try prepare("a/b/c")
            #expect(synchronized == [folder, folder.appending("a"), folder.appending("a/b")])
            try prepare("a/d")
            #expect(synchronized == [folder.appending("a")])
            do throws(SafeFileError) {
                let path = folder.appending("e/f")
                try PrivateFolder(path: path).prepareWithParents { (_) throws(Errno) in throw .ioError }
                Issue.record("a folder that could not be synchronized was not reported")
            } catch {
                #expect(error.code == .notDurable && error.path == folder.appending("e"))
            }
        }
    }

    /// A file that replaces another one at the same path, with the same content, has another identity.
    @Test func anotherFileHasAnotherIdentity() throws {
        try withFile { file, folder in
            for name in ["nothing", "nowhere/x", "state.json/x"] {
                #expect(try FileIdentity.of(folder.appending(name)) == nil)
            }
            let first = try #require(try FileIdentity.of(file.path))
            // No other file gets the inode number while the file is open.
            let descriptor = try FileDescriptor.open(file.path, .readOnly)
            defer { try? descriptor.close() }
            #expect(try FileIdentity.of(file.path) == first)
            try file.write(Self.old)
            let second = try #require(try FileIdentity.of(file.path))
            #expect(second != first)
            #expect(try file.rename(to: "moved"))
            #expect(try FileIdentity.of(file.path) == nil)
            #expect(try FileIdentity.of(folder.appending("moved")) == second)
        }
    }

    /// The names of error codes stay the same, since logs and comparisons depend on them.
    @Test func codesHaveNamesThatStay() {
        #expect("\(SafeFileError.Code.noSpace)" == "noSpace")
        #expect("\(SafeFileError.Code.openToOthers)" == "openToOthers")
    }
}

@Suite struct FileLockTests {
    private func withPath(_ body: (FilePath) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "clawradar-lock-\(UUID())")
        defer { try? FileManager.default.removeItem(at: url) }
        try body(FilePath(url.path))
    }

    /// A second attempt to lock a file is refused and returns the note of the first holder, also within one process,
    /// which may contain a tool and an embedded daemon.
    @Test func secondAttemptReturnsTheHoldersNote() throws {
        try withPath { path in
            guard case .acquired(let lock) = try FileLock.attempt(path, note: "first\n") else {
                Issue.record("nobody holds the lock")
                return
            }
            guard case .held(let note) = try FileLock.attempt(path, note: "second\n") else {
                Issue.record("the first attempt holds the lock")
                return
            }
            #expect(note == "first\n")
            #expect(try FileLock.wait(path, seconds: 0) == nil)
            lock.release()
            #expect(!FileManager.default.fileExists(atPath: path.string), "its file is removed")
            let next = try #require(try FileLock.wait(path, seconds: 0))
            #expect(try FileManager.default.attributesOfItem(atPath: path.string)[.posixPermissions] as? Int == 0o600)
            next.release()
        }
    }

    private final class Counters: Sendable {
        let holders = Mutex(0)
        let times = Mutex(0)
    }

    /// A lock is held by one at a time, although each holder removes its file: whoever has opened that before and locks it
    /// afterwards has locked nothing.
    @Test(.timeLimit(.minutes(1))) func oneAtATimeHoldsALockWhoseFileIsRemoved() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "clawradar-lock-\(UUID())")
        defer { try? FileManager.default.removeItem(at: url) }
        let path = FilePath(url.path)
        let counters = Counters()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 {
                        guard case .acquired(let lock)? = try? FileLock.attempt(path, note: "") else { continue }
                        let count = counters.holders.withLock { holders in
                            holders += 1
                            return holders
                        }
                        #expect(count == 1)
                        await Task.yield()
                        counters.times.withLock { $0 += 1 }
                        counters.holders.withLock { $0 -= 1 }
                        lock.release()
                    }
                }
            }
        }
        #expect(counters.times.withLock { $0 } > 100)
    }

    /// Missing parents of a folder for secrets are created for the owner alone, while an existing parent may be open to
    /// others.
    @Test func missingParentsAreMadeForTheOwner() throws {
        try withPath { path in
            try PrivateFolder(path: path.appending("a/b/c")).prepareWithParents()
            for name in ["", "a", "a/b", "a/b/c"] {
                let folder = path.appending(name).string
                #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path.appending("a").string)
            try PrivateFolder(path: path.appending("a/b/c")).prepareWithParents()
        }
    }
}
