import CloudDouble
import DNSSD
import Foundation
import GatewayClient
import GatewayProtocol
import Synchronization
import Testing

@testable import Pairing

/// The sync of stores with a server that does what the requests say, or what a hostile one does.
@Suite struct CloudSyncTests {
    private static var now: Int { Int(Date().timeIntervalSince1970 * 1_000) }
    private static let user = CloudSessions.user

    /// A server with one user.
    private final class FakeCloud: Sendable {
        struct State {
            var table = CloudTable()
            var sessions = CloudSessions(prefix: "refresh-")
            var asked: [String] = []
            /// All that was sent, but for the tokens of requests and what renews the session.
            var sent: [UInt8] = []
            /// The answer in place of what is asked, and whether to do that nevertheless.
            var faults: [(reply: WebReply?, isDone: Bool)] = []
            var isExpired = false
            /// The time by which its clock is ahead of this one, in milliseconds.
            var ahead = 0
            /// Indicates whether whoever asks is cancelled meanwhile, as the agent is when it ends.
            var isEnding = false
            /// Makes a page of rows in place of those that it has.
            var endless: (@Sendable (Int) -> [JSONValue])?
        }

        let state = Mutex(State())

        init() { state.withLock { _ = $0.sessions.begin() } }

        var tokens: [String] { state.withLock { $0.sessions.tokens.flatMap(\.self) } }
        var hasEnded: Bool { state.withLock { $0.sessions.hasEnded } }
        var rowCount: Int { state.withLock { $0.table.rows.count } }
        var asked: Int { state.withLock { $0.asked.count } }

        func server(_ project: CloudProject) -> CloudServer {
            CloudServer(project) { [self] call throws(WebFailure) in
                let body =
                    call.body.isEmpty
                    ? nil : try? JSONValue(parsing: call.body, limits: JSONLimits(maximumBytes: 1 << 24))
                let headers = Dictionary(call.headers.map { ($0.name, $0.value) }) { first, _ in first }
                let target = call.target
                if state.withLock({ $0.isEnding }) {
                    withUnsafeCurrentTask { $0?.cancel() }
                    throw WebFailure("the agent ends")
                }
                let reply = state.withLock { state -> WebReply? in
                    state.asked.append(target)
                    if !target.hasPrefix("/auth/v1/token") { state.sent += Array(target.utf8) + call.body }
                    for header in call.headers where header.name != "Authorization" {
                        state.sent += Array(header.value.utf8)
                    }
                    let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
                    if let fault, !fault.isDone { return fault.reply }
                    let reply = Self.answer(call.method, target, headers, body, &state)
                    return fault.map { $0.reply } ?? reply
                }
                guard let reply else { throw WebFailure("the connection was closed") }
                return reply
            }
        }

        private static func answer(
            _ method: String,
            _ target: String,
            _ headers: [String: String],
            _ body: JSONValue?,
            _ state: inout State
        ) -> WebReply {
            let access = state.isExpired ? "" : String(headers["Authorization"]?.dropFirst("Bearer ".count) ?? "")
            var (status, json) =
                state.sessions.answer(target, body, access: access) ?? state.table.answer(method, target, headers, body)
            if let endless = state.endless, method == "GET" { json = .array(endless(state.asked.count)) }
            var reply = WebReply(status: status, body: json.encoded)
            (reply.isWhole, reply.date) = (true, CloudSyncTests.now + state.ahead)
            return reply
        }
    }

    private struct House {
        let store: PairingStore
        let sync: CloudSync

        init(_ root: URL, _ name: String, _ cloud: FakeCloud, _ vault: VaultKey, token: String = "refresh-0-0") throws {
            store = try PairingStore(
                StoreLocation(
                    folder: root.appending(path: "\(name)/data").path,
                    keyFile: root.appending(path: "\(name)/state/key").path
                )
            )
            try store.keepVaultKey(vault)
            let project = try CloudProject("https://abc.example#sb_publishable_x")
            let account = CloudAccount(project: project, user: CloudSyncTests.user, email: "me", sealsNames: false)
            try store.signIn(account, token: Secret(token))
            sync = CloudSync(store) { cloud.server($0) }
        }

        @discardableResult
        func pair(_ number: UInt8 = 1) throws -> StoredPairing {
            let bot = try #require(BotID("bot-1"))
            let credential = StoredCredential(bots: [bot], createdAt: CloudSyncTests.now, deviceID: "d")
            let pairing = StoredPairing(
                gatewayID: "g\(number)",
                fingerprint: GatewayFingerprint(bytes: [number]),
                name: "Home",
                dialect: .optaplus,
                trust: .certified(host: "gateway.example"),
                endpoints: [],
                pairedAt: CloudSyncTests.now,
                bots: [StoredBot(id: bot, name: "Jarvis")],
                credentials: [credential]
            )
            try store.insert(pairing, secrets: [credential.id: Secret("token-\(credential.id)")])
            return pairing
        }
    }

    /// A session as the server has granted it, of a user.
    private static func session(_ user: String) throws -> CloudSession {
        let text = """
            {"access_token":"access-1","refresh_token":"refresh-of-\(user)","expires_in":3600,
            "user":{"id":"\(user)","email":"me@example.org"}}
            """
        return try #require(CloudSession(try JSONValue(parsing: Array(text.utf8))))
    }

    private static func with(_ body: (FakeCloud, URL, VaultKey) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "clawradar-cloud-\(UUID())")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        try await body(FakeCloud(), root, VaultKey())
    }

    /// A pairing goes to a second device with its token and its name, and back it comes unpaired. Nothing is asked in between.
    @Test func twoDevicesAgree() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            let pairing = try one.pair()
            #expect(try await one.sync.run(reads: true)?.sent == 1)
            let other = try House(root, "b", cloud, vault, token: cloud.tokens.last ?? "")
            #expect(try await other.sync.run(reads: true)?.came == ["Jarvis"])
            let credential = try #require(pairing.credentials.first)
            #expect(
                try other.store.secret(of: credential.id, in: pairing.id)
                    == one.store.secret(of: credential.id, in: pairing.id)
            )
            let count = cloud.asked
            #expect(try await other.sync.run(reads: false) == nil)
            #expect(cloud.asked == count)
            try other.store.moveToBin(pairing.id, reason: .unpaired(withdrawnThere: true), at: 1)
            #expect(try await other.sync.run(reads: false)?.sent == 1)
            // What the first renews with is the token that it has in its store.
            _ = try one.store.replaceCloudToken(
                Secret(cloud.tokens.last ?? ""),
                of: try #require(try one.store.cloudAccount())
            )
            #expect(try await one.sync.run(reads: true)?.ended == ["Home"])
            #expect(try one.store.pairings().isEmpty)
        }
    }

    /// That a gateway was connected anew costs one request, which is made again if it fails, and for an hour no other one; it is
    /// no change for which anybody is asked more often.
    @Test func aConnectionIsToldOnce() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            let pairing = try one.pair()
            _ = try await one.sync.run(reads: true)
            let (count, start) = (cloud.asked, 1_700_000_000_000)
            func connect(at time: Int) throws {
                try one.store.noteConnected([pairing.id: ConnectionNote(time: time, endpoint: nil)])
            }
            try connect(at: start)
            cloud.state.withLock { $0.faults = [(nil, false)] }
            await #expect(throws: CloudError.self) { try await one.sync.run(reads: false) }
            #expect(try await one.sync.run(reads: false) == CloudArrivals())
            let told = cloud.state.withLock { $0.table.rows[0]["last_connected"] }
            #expect(told == .string(CloudTime.text(start * 1_000)))
            try connect(at: start + 3_599_999)
            #expect(try await one.sync.run(reads: false) == nil)
            #expect(cloud.asked == count + 2)
            try connect(at: start + 3_600_000)
            _ = try await one.sync.run(reads: false)
            #expect(cloud.asked == count + 3)
            // What is read again is what is known.
            let arrivals = try await one.sync.run(reads: true)
            #expect(arrivals == CloudArrivals() && cloud.asked == count + 4)
        }
    }

    /// The answer to a renewal gets lost, or the process ends before it has it: the session goes on.
    @Test func aLostRenewalEndsNothing() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            cloud.state.withLock { $0.faults = [(nil, true)] }
            await #expect(throws: CloudError.self) { try await one.sync.run(reads: true) }
            #expect(try one.store.cloudToken() == Secret("refresh-0-0"))
            _ = try await one.sync.run(reads: true)
            #expect(try one.store.cloudToken() == Secret("refresh-0-1"))
            #expect(!cloud.hasEnded)
        }
    }

    /// A row that something else has written without a time, or without saying that it is active, is replaced, and not taken for
    /// what this device has sent.
    @Test(arguments: ["paired_at", "is_active"]) func aRowWithNothingInItIsReplaced(column: String) async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            _ = try one.pair()
            _ = try await one.sync.run(reads: true)
            cloud.state.withLock { $0.table.rows[0][column] = .null }
            let other = try House(root, "b", cloud, vault, token: cloud.tokens.last ?? "")
            let pairing = try other.pair()
            _ = try await other.sync.run(reads: true)
            let row = try #require(cloud.state.withLock { CloudRow(.object($0.table.rows[0])) })
            let device = try other.store.device.cloudID()
            #expect(row.version == .new(at: pairing.newest, by: device, after: nil) && cloud.rowCount == 1)
        }
    }

    /// Whatever has emptied a row: the device that has the pairing gives it back, without that anybody does anything.
    @Test(arguments: ["paired_at", "is_active"]) func anEmptiedRowIsGivenBack(column: String) async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            _ = try one.pair()
            _ = try await one.sync.run(reads: true)
            let before = cloud.state.withLock { $0.table.rows[0][column] }
            cloud.state.withLock { state in
                state.table.time += 1
                state.table.rows[0][column] = .null
            }
            let arrivals = try await one.sync.run(reads: true)
            #expect(arrivals?.sent == 1)
            #expect(cloud.state.withLock { $0.table.rows[0][column] } == before)
            #expect(try one.store.cloudEntries().allSatisfy { $0.note == nil && !$0.entry.isWaiting })
        }
    }

    /// A server that refuses to note when a gateway was connected keeps nothing else from being sent and read.
    @Test func aRefusedConnectionHoldsNothingUp() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            let pairing = try one.pair()
            _ = try await one.sync.run(reads: true)
            try one.store.noteConnected([pairing.id: ConnectionNote(time: 1_700_000_000_000, endpoint: nil)])
            var refusal = WebReply(status: 403, body: Array(#"{"code":"42501","message":"x"}"#.utf8))
            (refusal.isWhole, refusal.date) = (true, Self.now)
            cloud.state.withLock { $0.faults = [(refusal, false)] }
            #expect(try await one.sync.run(reads: false) != nil)
            #expect(try one.store.cloudAccount()?.failures == 0)
        }
    }

    /// A row of a time that is none is no pairing: it is said that it was not taken.
    @Test func aRowOfNoTimeIsSaid() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            _ = try one.pair()
            _ = try await one.sync.run(reads: true)
            cloud.state.withLock { $0.table.rows[0]["paired_at"] = "infinity" }
            let other = try House(root, "b", cloud, vault, token: cloud.tokens.last ?? "")
            _ = try await other.sync.run(reads: true)
            #expect(try other.store.cloudEntries().map(\.note) == [.broken])
            #expect(try other.store.pairings().isEmpty)
        }
    }

    /// Several syncs at once, as of several processes, renew one after the other.
    @Test func oneRenewsAtATime() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            let others = (0..<4).map { _ in CloudSync(one.store) { cloud.server($0) } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sync in [one.sync] + others {
                    group.addTask { for _ in 0..<3 { _ = try? await sync.run(reads: true) } }
                }
                try await group.waitForAll()
            }
            #expect(!cloud.hasEnded)
            #expect(try one.store.cloudAccount()?.isSignedIn == true)
        }
    }

    /// A row was written and the answer got lost: it is not written twice, and nothing waits in the end.
    @Test func aLostAnswerIsMadeUp() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            _ = try await one.sync.run(reads: true)
            _ = try one.pair()
            cloud.state.withLock { $0.faults = [(nil, true)] }
            await #expect(throws: CloudError.self) { try await one.sync.run(reads: false) }
            #expect(try one.store.cloudAccount()?.failures == 1)
            _ = try await one.sync.run(reads: false)
            #expect(cloud.rowCount == 1)
            #expect(try one.store.cloudEntries().allSatisfy { !$0.entry.isWaiting })
            #expect(try one.store.cloudAccount()?.failures == 0)
        }
    }

    /// Another process that talks to the cloud for too long is a failure like any other: it is counted, and said.
    @Test func aLockThatStaysTakenIsCounted() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            var lock = try PairingStore.attemptCloudLock(one.store.location)
            #expect(lock != nil)
            let sync = CloudSync(one.store, lockTimeout: .zero) { cloud.server($0) }
            for count in 1...3 {
                await #expect(throws: CloudError.self) { try await sync.run(reads: true) }
                #expect(try one.store.cloudAccount()?.failures == count)
            }
            #expect(try one.store.cloudAccount()?.trouble?.contains("another process") == true && cloud.asked == 0)
            lock = nil
            _ = try await sync.run(reads: true)
            #expect(try one.store.cloudAccount()?.failures == 0)
        }
    }

    /// An agent that ends in the middle of a sync has not failed.
    @Test func anEndIsNoFailure() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            cloud.state.withLock { $0.isEnding = true }
            let sync = one.sync
            await #expect(throws: CloudError.self) { try await Task { try await sync.run(reads: true) }.value }
            // A call that nobody waits for is made nevertheless.
            await one.store.settle(within: .seconds(5))
            let account = try #require(try one.store.cloudAccount())
            #expect(account.failures == 0 && account.trouble == nil && account.isSignedIn)
        }
    }

    /// A server that refuses for ever is asked a few times and no more; the session stays, and what waits as well.
    @Test func whoRefusesForEverIsNotAskedForEver() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            _ = try one.pair()
            cloud.state.withLock { $0.isExpired = true }
            await #expect(throws: CloudError.self) { try await one.sync.run(reads: true) }
            #expect(cloud.asked <= 3)
            #expect(try one.store.cloudAccount()?.isSignedIn == true)
        }
    }

    /// Redirects, pages, and answers of other forms are failures: nothing is taken, and nothing more is sent.
    @Test(arguments: ["[1]", "{}", "<html>", #"[{"user_id":"x"}]"#, "null"]) func aHostileAnswerIsAFailure(
        text: String
    ) async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            _ = try one.pair()
            _ = try? await one.sync.run(reads: true)
            let count = cloud.asked
            var reply = WebReply(status: 200, body: Array(text.utf8))
            reply.isWhole = true
            cloud.state.withLock { $0.faults = [(reply, false)] }
            await #expect(throws: CloudError.self) { try await one.sync.run(reads: true) }
            #expect(cloud.asked == count + 1)
            #expect(try one.store.pairings().count == 1)
        }
    }

    /// A used token has ended the session: that is said, and what is here stays.
    @Test func anEndedSessionIsSaid() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault, token: "refresh-unknown")
            _ = try one.pair()
            await #expect(throws: CloudError.self) { try await one.sync.run(reads: true) }
            let account = try #require(try one.store.cloudAccount())
            #expect(!account.isSignedIn && account.isTrouble)
            #expect(try one.store.pairings().count == 1)
            #expect(try await one.sync.run(reads: true) == nil)
        }
    }

    /// Signing out ends the session there, and leaves nothing here that opens what is in the cloud.
    @Test func signingOutForgetsTheKey() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            _ = try one.pair()
            _ = try await one.sync.run(reads: true)
            #expect(try await one.sync.signOut() == nil)
            #expect(cloud.hasEnded)
            #expect(try one.store.vaultKey() == nil && one.store.cloudToken() == nil)
            #expect(try one.store.pairings().count == 1)
        }
    }

    /// The vault key that lies in the cloud, wrapped by a passphrase, comes to another device, and is no pairing for anybody.
    @Test func aWrappedKeyArrives() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            #expect(try await one.sync.wrappedKeys().isEmpty)
            try await one.sync.send("wrapped", of: vault)
            _ = try one.pair()
            _ = try await one.sync.run(reads: true)
            try await Task.sleep(for: .milliseconds(2))
            try await one.sync.send("again", of: vault)
            #expect(cloud.rowCount == 2)
            let other = try House(root, "b", cloud, vault, token: cloud.tokens.last ?? "")
            #expect(try await other.sync.wrappedKeys() == ["again"])
            #expect(try await other.sync.run(reads: true)?.came == ["Jarvis"])
            #expect(try other.store.cloudEntries().allSatisfy { $0.note == nil && !$0.entry.isWaiting })
        }
    }

    /// Whoever is signed in is not replaced by somebody else: that session would be left open. The new one is ended.
    @Test func anotherAccountIsRefused() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            let project = try CloudProject("https://abc.example#sb_publishable_x")
            let other = CloudAccount(project: project, user: "other", email: "other", sealsNames: false)
            await #expect(throws: CloudError.self) { try await one.sync.begin(try Self.session("other"), of: other) }
            #expect(cloud.state.withLock { $0.asked } == ["/auth/v1/logout?scope=local"])
            #expect(try one.store.cloudToken() == Secret("refresh-0-0"))
        }
    }

    /// Whoever signs in again to the same account ends the former session, which nobody has any more, and no other one. A server
    /// that does not do it keeps nobody out.
    @Test(arguments: [false, true]) func theFormerSessionEnds(isLost: Bool) async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            let project = try CloudProject("https://abc.example#sb_publishable_x")
            let same = CloudAccount(project: project, user: Self.user, email: "me", sealsNames: false)
            if isLost { cloud.state.withLock { $0.faults = [(nil, false)] } }
            try await one.sync.begin(try Self.session(Self.user), of: same)
            #expect(try one.store.cloudToken() == Secret("refresh-of-\(Self.user)"))
            // The session that ends is that of the former token.
            #expect(
                cloud.state.withLock { $0.asked }
                    == ["/auth/v1/token?grant_type=refresh_token"] + (isLost ? [] : ["/auth/v1/logout?scope=local"])
            )
            #expect(cloud.tokens.count == (isLost ? 1 : 0) && cloud.hasEnded == !isLost)
        }
    }

    /// Rows say which vault key opens them, so that the code of another one is noticed when it is typed.
    @Test func rowsTellTheirKey() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            #expect(try await one.sync.vaultIDs() == nil)
            try await one.sync.send("wrapped", of: vault)
            #expect(try await one.sync.vaultIDs() == [vault.id])
            _ = try one.pair()
            _ = try await one.sync.run(reads: true)
            #expect(try await one.sync.vaultIDs() == [vault.id])
        }
    }

    /// A server whose clock is a day off gets no row: no other device would believe its time. It is said, and it ends with it.
    @Test(arguments: [-31_536_000_000, 31_536_000_000, 90_000_000]) func aClockThatIsFarOffIsSaid(
        ahead: Int
    ) async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            _ = try one.pair()
            cloud.state.withLock { $0.ahead = ahead }
            await #expect(throws: CloudError.self) { try await one.sync.run(reads: true) }
            #expect(cloud.rowCount == 0)
            #expect(try one.store.cloudAccount()?.trouble?.contains("hours") == true)
            cloud.state.withLock { $0.ahead = 3_600_000 }
            #expect(try await one.sync.run(reads: true)?.sent == 1)
        }
    }

    /// A server that gives the same page for ever, or another one for ever, is not followed for ever.
    @Test func anEndlessTableEnds() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            let now = Self.now
            @Sendable func page(_ number: Int) -> [JSONValue] {
                let time = CloudTime.text(now * 1_000 + number)
                return (0..<500).map { .object(["id": .string("\($0 + 100)"), "updated_at": .string(time)]) }
            }
            cloud.state.withLock { $0.endless = { _ in page(0) } }
            await #expect(throws: CloudError.self) { try await one.sync.run(reads: true) }
            // The renewal, and two pages.
            #expect(cloud.asked == 3)
            cloud.state.withLock { $0.endless = page }
            await #expect(throws: CloudError.self) { try await one.sync.run(reads: true) }
            #expect(cloud.asked < 100)
            #expect(try one.store.cloudEntries().isEmpty)
        }
    }

    /// A row of a megabyte and more, which somebody with this account has written, does not hide the others.
    @Test func aRowThatIsTooLongHidesNoOther() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            for number: UInt8 in 1...2 {
                try one.pair(number)
                _ = try await one.sync.run(reads: true)
            }
            let other = try House(root, "b", cloud, vault, token: cloud.tokens.last ?? "")
            var long = WebReply(status: 200, body: Array(repeating: 0x5B, count: CloudServer.answerLimit))
            long.date = Self.now
            // The renewal is answered as it should be.
            #expect(try await other.sync.vaultIDs() == [vault.id])
            let before = cloud.asked
            cloud.state.withLock { $0.faults = Array(repeating: (long, false), count: 4) }
            // The first one is read without what is sealed in it, and the second one as it is.
            #expect(try await other.sync.run(reads: true)?.came == ["Jarvis"])
            #expect(try other.store.cloudEntries().count { $0.note == .broken } == 1)
            let asked = cloud.state.withLock { $0.asked[before...].prefix(5) }
            #expect(asked.map { $0.contains("encrypted_token") } == [true, true, true, true, false])
        }
    }

    /// A session that is not this user's is not taken, and what it came with is not used.
    @Test func theSessionOfAnotherUserIsRefused() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            _ = try one.pair()
            let user: JSONValue = .object(["id": "other", "email": "x"])
            var reply = WebReply(
                status: 200,
                body: JSONValue.object([
                    "access_token": "a", "refresh_token": "r", "expires_in": 3_600, "user": user,
                ]).encoded
            )
            reply.isWhole = true
            cloud.state.withLock { $0.faults = [(reply, false)] }
            await #expect(throws: CloudError.self) { try await one.sync.run(reads: true) }
            #expect(cloud.asked == 1)
            #expect(try one.store.cloudAccount()?.isSignedIn == false)
        }
    }

    /// Returns bytes in the forms in which they could lie somewhere: as they are, in hexadecimal, and as a part of base64.
    private static func forms(_ bytes: [UInt8]) -> [[UInt8]] {
        let parts = (0..<3).map { offset -> [UInt8] in
            let text = Array(Base64.standard.encode([UInt8](repeating: 0, count: offset) + bytes).utf8)
            return Array(text[[0, 2, 3][offset]..<(offset + bytes.count) * 8 / 6])
        }
        return [bytes, Array(bytes.hexadecimal.utf8)] + parts
    }

    /// Neither what leaves a device nor its files have a token, the vault key or its code: searched whole and in base64.
    @Test func noSecretIsAnywhere() async throws {
        try await Self.with { cloud, root, vault in
            let one = try House(root, "a", cloud, vault)
            let code = try #require(RecoveryCode(vault).text.revealed)
            var secrets = [code, code.replacing("-", with: ""), "refresh-0-0"]
            for _ in 0..<3 {
                let pairing = try one.pair()
                secrets += pairing.credentials.map { "token-\($0.id)" }
                _ = try await one.sync.run(reads: true)
                try one.store.moveToBin(pairing.id, reason: .forgotten, at: Self.now)
                _ = try await one.sync.run(reads: false)
            }
            let other = try House(root, "b", cloud, vault, token: cloud.tokens.last ?? "")
            _ = try one.pair()
            _ = try await one.sync.run(reads: true)
            _ = try await other.sync.run(reads: true)
            secrets += cloud.tokens + cloud.tokens.map { "access-\($0)" }
            secrets.append(try #require(other.store.pairings().first?.credentials.first.map { "token-\($0.id)" }))
            var places = [("what was sent", cloud.state.withLock { $0.sent })]
            for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) where !path.hasSuffix("/key") {
                guard let data = FileManager.default.contents(atPath: root.appending(path: path).path) else { continue }
                places.append((path, Array(data)))
            }
            #expect(places.count > 2 && places[0].1.count > 1_000)
            let key = vault.key.bytes.withUnsafeBytes { Array($0) }
            for bytes in secrets.map({ Array($0.utf8) }) + [key] {
                for form in Self.forms(bytes) {
                    for (place, content) in places {
                        let text = String(decoding: bytes, as: UTF8.self)
                        #expect(content.firstRange(of: form) == nil, "\(place): \(text)")
                    }
                }
            }
            // The search finds what is there.
            let shown = Array("xJarvis".utf8)
            #expect(Self.forms(Array("Jarvis".utf8)).contains { shown.firstRange(of: $0) != nil })
            let encoded = Array(Base64.standard.encode(shown).utf8)
            #expect(Self.forms(Array("Jarvis".utf8)).contains { encoded.firstRange(of: $0) != nil })
        }
    }
}
