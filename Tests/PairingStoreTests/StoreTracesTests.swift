import Foundation
import SystemPackage
import Testing

@testable import HostSystem
@testable import Pairing

/// Commits of other processes are never missed because the database is asked more rarely.
@Suite struct StoreTracesTests {
    private func withFile(_ body: (FilePath) throws -> Void) throws {
        let path = FilePath("/tmp/clawradar-traces-\(UInt32.random(in: 0...UInt32.max))")
        try Data("one".utf8).write(to: URL(filePath: path.string))
        defer { try? FileManager.default.removeItem(atPath: path.string) }
        try body(path)
    }

    /// The looks at one file, one after the other.
    private final class Looks {
        private var traces = StoreTraces()

        func ask(_ file: FileTrace?, hasJournal: Bool, now: Int64) -> Bool {
            traces.mayHaveChanged(file, hasJournal: hasJournal, now: now)
        }
    }

    private static let minute: Int64 = 60_000_000_000

    /// At rest nine of ten looks ask nothing.
    @Test func nothingIsAskedAtRest() throws {
        try withFile { path in
            let file = try #require(FileTrace.of(path))
            let looks = Looks()
            let asked = (0..<40).map { _ in
                looks.ask(file, hasJournal: false, now: file.changed + Self.minute)
            }
            #expect(asked[0])
            #expect(!asked[1..<10].contains(true))
            #expect(asked.filter(\.self).count <= 6)
            #expect(asked.suffix(20).contains(true))
        }
    }

    /// A file that has just been written may be written again at what its clock takes for the same time, so that its
    /// trace proves nothing yet.
    @Test func freshTracesCountForNothing() throws {
        try withFile { path in
            let file = try #require(FileTrace.of(path))
            let looks = Looks()
            for _ in 0..<9 {
                #expect(looks.ask(file, hasJournal: false, now: file.changed + 1_000_000_000))
                #expect(looks.ask(file, hasJournal: false, now: file.changed - Self.minute))
            }
        }
    }

    /// A transaction that takes long writes first, and commits by removing its journal.
    @Test func aJournalThatIsThereOrWasIsAskedFor() throws {
        try withFile { path in
            let file = try #require(FileTrace.of(path))
            let now = file.changed + Self.minute
            let looks = Looks()
            for _ in 0..<3 { _ = looks.ask(file, hasJournal: false, now: now) }
            #expect(!looks.ask(file, hasJournal: false, now: now))
            #expect(looks.ask(file, hasJournal: true, now: now))
            #expect(looks.ask(file, hasJournal: true, now: now))
            #expect(looks.ask(file, hasJournal: false, now: now))
            #expect(!looks.ask(file, hasJournal: false, now: now))
        }
    }

    /// Another content, another file and none at all are asked for.
    @Test func whatIsOtherwiseIsAskedFor() throws {
        try withFile { path in
            let first = try #require(FileTrace.of(path))
            let now = first.changed + 100 * Self.minute
            for change in ["size", "file", "none"] {
                let looks = Looks()
                let before = try #require(FileTrace.of(path))
                for _ in 0..<3 { _ = looks.ask(before, hasJournal: false, now: now) }
                #expect(!looks.ask(before, hasJournal: false, now: now))
                switch change {
                case "size": try Data("another".utf8).write(to: URL(filePath: path.string))
                case "file":
                    let other = FilePath(path.string + ".new")
                    try Data("another".utf8).write(to: URL(filePath: other.string))
                    try FileManager.default.removeItem(atPath: path.string)
                    try FileManager.default.moveItem(atPath: other.string, toPath: path.string)
                default: try FileManager.default.removeItem(atPath: path.string)
                }
                #expect(looks.ask(FileTrace.of(path), hasJournal: false, now: now), "\(change)")
            }
        }
    }
}
