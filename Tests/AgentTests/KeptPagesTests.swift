import Foundation
import Reports
import Synchronization
import Testing

@testable import Agent

/// The sessions of pages between two agents: each lasts as long as it was to, and nothing else is taken for one.
@Suite struct KeptPagesTests {
    private let now = ContinuousClock.now
    private let time = Timestamp(milliseconds: 1_800_000_000_000)

    private func key(_ digit: Character, _ rest: Duration) -> PageKeys.Key {
        PageKeys.Key(secret: Array(String(repeating: digit, count: 64).utf8), end: now + rest)
    }

    @Test func theyAreReadAsTheyWereWritten() throws {
        let kept = KeptPages(port: 7_417, [key("a", .seconds(60)), key("b", .seconds(3_600))], at: now, time)
        let read = try #require(KeptPages(Array(kept.text.utf8)))
        #expect(read == kept)
        let later = read.keys(at: now, time.advanced(by: .seconds(61)))
        #expect(later.map(\.secret) == [Array(String(repeating: "b", count: 64).utf8)])
        #expect(later.first?.end == now + .seconds(3_539))
    }

    /// A clock that is set back makes no session last.
    @Test func noneLastsLongerThanANewOne() throws {
        let kept = KeptPages(port: 1, [key("a", .seconds(60))], at: now, time)
        let keys = kept.keys(at: now, Timestamp(milliseconds: 0))
        #expect(keys.map(\.end) == [now + PageKeys.sessionLifetime])
    }

    @Test func theMostFitIntoTheFile() {
        let kept = KeptPages(port: 65_535, Array(repeating: key("a", .seconds(1)), count: PageKeys.most), at: now, time)
        #expect(kept.text.utf8.count <= KeptPages.limit)
    }

    @Test(arguments: ["", "\n", "x\n", "0\n", "70000\n", "1\nabc 2027-01-15T08:00:00.000Z\n", "1\n\u{FF}\n"])
    func whatNoAgentWroteIsNothing(text: String) {
        #expect(KeptPages(Array(text.utf8)) == nil)
    }

    /// The page that is open goes on with the next agent, at the port that it knows; not with one after the file was opened to
    /// others.
    @Test func theNextAgentTakesThemUp() throws {
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = PageAccess(folder: folder)
        first.resume()
        #expect(!first.isWanted && first.formerPort == nil)
        first.begins(at: 7_417)
        let session = try #require(first.exchange(first.makeLogin()))
        #expect(session.port == 7_417)
        #expect(first.hasToken(session.token.utf8))
        // The port may be another program's once the page is not answered there any more.
        let login = first.makeLogin()
        first.ends()
        #expect(!first.hasToken(session.token.utf8) && first.exchange(login) == nil)
        let next = PageAccess(folder: folder)
        next.resume()
        #expect(next.isWanted && next.formerPort == 7_417)
        #expect(!next.hasToken(session.token.utf8))
        let nonce = String(repeating: "0", count: 64)
        #expect(next.proofs(for: nonce) == nil)
        next.begins(at: 7_417)
        let (run, proofs) = try #require(next.proofs(for: nonce))
        let key = Array(session.key.utf8)
        #expect(proofs == [PageProof.proof(key: key, nonce: nonce, run: run, port: 7_417)])
        #expect(next.hasToken(PageProof.token(key: key, run: run).utf8))
        #expect(next.proofs(for: "short") == nil)
        let file = "\(folder)/page-sessions"
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let other = PageAccess(folder: folder)
        other.resume()
        #expect(!other.isWanted)
    }

    private static func makeFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID())").path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        return folder
    }

    /// Another user who had the port meanwhile can keep the connection of a page when the next agent takes the port, hand the
    /// page's question on to it, and get the token that the page sends: no session goes on there. It is looked for before the
    /// port is taken, so that logins go to another one, and afterwards, when nobody can get one more.
    @Test func noneGoesOnWhereAnotherUserHasAConnection() throws {
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = PageAccess(folder: folder)
        first.begins(at: 7_417)
        let session = try #require(first.exchange(first.makeLogin()))
        first.ends()
        let next = PageAccess(folder: folder) { $0 != 7_417 }
        next.resume()
        #expect(!next.isWanted && next.formerPort == nil)
        let isOwn = Mutex(true)
        let late = PageAccess(folder: folder) { _ in isOwn.withLock(\.self) }
        late.resume()
        #expect(late.formerPort == 7_417)
        isOwn.withLock { $0 = false }
        late.begins(at: 7_417)
        let (run, proofs) = try #require(late.proofs(for: String(repeating: "0", count: 64)))
        #expect(proofs.isEmpty && !late.hasToken(PageProof.token(key: Array(session.key.utf8), run: run).utf8))
        // Its sessions are over, with the next agent, too.
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/page-sessions"))
        // A browser may have that connection from before, and would give a login away: none is made until it has ended.
        #expect(!late.leadsHere)
        isOwn.withLock { $0 = true }
        #expect(late.leadsHere && late.exchange(late.makeLogin()) != nil)
    }

    /// What has ended is not kept, nor is it left where it was by an agent that finds it.
    @Test func whatHasEndedIsNotKept() throws {
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/page-sessions"
        let old = KeptPages(port: 7_417, [key("a", .seconds(60))], at: now, Timestamp(milliseconds: 0))
        try Data(old.text.utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let access = PageAccess(folder: folder)
        access.resume()
        #expect(!access.isWanted && !FileManager.default.fileExists(atPath: file))
    }
}
