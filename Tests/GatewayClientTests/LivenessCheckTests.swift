import DNSSD
import GatewayProtocol
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Synchronization
import Testing

@testable import GatewayClient

/// The check of whether a known gateway still answers, and which answers count.
@Suite(.timeLimit(.minutes(1))) struct LivenessCheckTests {
    /// The time for an answer that comes: as much as a machine may pause.
    private static let patient = ConnectionLimits(connectionBytes: 65_536, duration: .seconds(10))

    /// The time for an answer that does not come.
    private static let quick = ConnectionLimits(connectionBytes: 65_536, duration: .milliseconds(500))
    private static let live = TestServer.WebAnswer(status: .ok, body: #"{"ok":true,"status":"live"}"#)

    private static func web(_ answer: TestServer.WebAnswer) -> TestServer.Behaviour {
        .webSocket(path: nil, http: { $0 == "/healthz" || $0 == "/version" ? answer : .init(status: .imATeapot) })
    }

    private static func livenessCheck(
        _ server: Endpoint,
        _ dialect: GatewayDialect = .openClaw,
        signature: HTTPSignature? = nil,
        leaf: LeafFingerprint? = nil,
        limits: ConnectionLimits = patient
    ) -> LivenessCheck {
        LivenessCheck(
            path: GatewayProbePath(endpoint: server, leaf: leaf),
            dialect: dialect,
            signature: signature,
            limits: limits
        )
    }

    private static func signature(_ result: LivenessCheckResult) throws -> HTTPSignature {
        guard case .answered(_, let signature?) = result else { throw Unexpected(result) }
        return signature
    }

    // MARK: HTTP

    /// A gateway is alive if it answers as it did before, whatever that answer is. The first one that is no health reply
    /// counts because the gateway opens a WebSocket as well.
    @Test(arguments: [
        live, .init(status: .notFound), .init(status: .ok, headers: [("Server", "x")], body: "<html>"),
        .init(status: .ok, body: String(repeating: "page ", count: 40_000)),
    ])
    func theSameAnswerIsLife(answer: TestServer.WebAnswer) async throws {
        try await TestServer.run(.webSocket(http: { _ in answer })) { server in
            let first = try Self.signature(await Self.livenessCheck(server.endpoint).ask())
            #expect(server.received.text.contains("Upgrade") == (answer.body != Self.live.body))
            let asked = server.received.text.utf8.count
            let second = try Self.signature(await Self.livenessCheck(server.endpoint, signature: first).ask())
            #expect(second == first)
            #expect(server.received.text.contains("User-Agent: clawradar"))
            #expect(!server.received.text.dropFirst(asked).contains("Upgrade"))
        }
    }

    /// A front that no longer leads to the gateway before that was asked for the first time: its own answers are not what
    /// is expected from then on.
    @Test(arguments: ["/", "/kitchen/"]) func whatAFrontAnswersFirstIsNoLife(path: String) async throws {
        let notFound = TestServer.WebAnswer(status: .notFound, headers: [("Server", "nginx")], body: "<html>")
        try await TestServer.run(.webSocket(path: nil, http: { _ in notFound })) { server in
            let endpoint = Endpoint(address: server.endpoint.address, port: server.endpoint.port, resource: path)
            let check = LivenessCheck(
                path: GatewayProbePath(endpoint: endpoint, leaf: nil),
                dialect: .openClaw,
                limits: Self.patient
            )
            #expect(await check.ask() == .different)
            let (end, answers) = await Self.hold(check, checks: 2)
            #expect(end == .notOpened(.different))
            #expect(answers == 0)
        }
    }

    /// At a path of a front, an answer below that path counts only if it is a health reply; any other may be the front's
    /// own. Then the very path is asked, which leads to the gateway or nowhere.
    @Test(arguments: [GatewayDialect.openClaw, .clawline], [true, false])
    func whatAFrontAnswersByItselfIsNoLife(dialect: GatewayDialect, hasHealth: Bool) async throws {
        let health = TestServer.WebAnswer(
            status: .ok,
            body: dialect == .openClaw ? #"{"ok":true,"status":"live"}"# : #"{"protocolVersion":1}"#
        )
        let (page, nobody) = (
            TestServer.WebAnswer(status: .ok, body: "page"), TestServer.WebAnswer(status: .badGateway)
        )
        let isAlive = Mutex(true)
        let ofFront = TestServer.WebAnswer(status: .notFound, body: "of the front")
        let answer = { @Sendable (path: String) -> TestServer.WebAnswer in
            // The front passes on the path and, if the gateway has a health page, all that is below it.
            guard path.hasPrefix("/attic/"), hasHealth || path == "/attic/" else { return ofFront }
            guard isAlive.withLock({ $0 }) else { return nobody }
            return path == "/attic/" ? page : health
        }
        let behaviour = TestServer.Behaviour.webSocket(path: "/attic/", http: answer)
        try await TestServer.run(behaviour) { server in
            let endpoint = Endpoint(
                address: server.endpoint.address,
                port: server.endpoint.port,
                resource: "/attic/"
            )
            func check(_ signature: HTTPSignature?) -> LivenessCheck {
                LivenessCheck(
                    path: GatewayProbePath(endpoint: endpoint, leaf: nil),
                    dialect: dialect,
                    signature: signature,
                    limits: Self.patient
                )
            }
            let signature = try Self.signature(await check(nil).ask())
            #expect(signature.status == 200)
            #expect(try Self.signature(await check(signature).ask()) == signature)
            let (end, answers) = await Self.hold(check(signature), checks: 3)
            #expect(end == .letGo && answers == 3)
            isAlive.withLock { $0 = false }
            #expect(await check(signature).ask() == .different)
            #expect(await check(nil).ask() == .different)
            let (later, none) = await Self.hold(check(nil), checks: 1)
            #expect(later == .different && none == 0)
        }
    }

    /// Another HTTP answer than before means that another process uses the port.
    @Test(arguments: [
        TestServer.WebAnswer(status: .ok), .init(status: .notFound, headers: [("Server", "nginx")]),
        .init(status: .notFound, body: "not here"),
    ])
    func anotherAnswerIsAnotherProcess(answer: TestServer.WebAnswer) async throws {
        let before = HTTPSignature(status: 404, server: nil, body: [])
        try await TestServer.run(Self.web(answer)) { server in
            #expect(await Self.livenessCheck(server.endpoint, signature: before).ask() == .different)
        }
    }

    /// A health reply is accepted whatever the earlier answer was: after an update a gateway may give one for the first
    /// time.
    @Test func aHealthReplyIsLifeWhateverCameBefore() async throws {
        let before = HTTPSignature(status: 404, server: nil, body: [])
        try await TestServer.run(Self.web(Self.live)) { server in
            let signature = try Self.signature(await Self.livenessCheck(server.endpoint, signature: before).ask())
            #expect(signature.status == 200)
            // A health reply of OpenClaw is not accepted for Clawline.
            #expect(await Self.livenessCheck(server.endpoint, .clawline, signature: before).ask() == .different)
        }
    }

    /// Only the first kilobyte of a page counts, together with the status and the server's name.
    @Test func onlyTheBeginningOfAPageCounts() {
        let page = [UInt8](repeating: 0x61, count: 1_024)
        #expect(
            HTTPSignature(status: 200, server: "x", body: page + [1])
                == HTTPSignature(status: 200, server: "x", body: page)
        )
        #expect(
            HTTPSignature(status: 200, server: nil, body: page) != HTTPSignature(status: 200, server: "x", body: page)
        )
    }

    // MARK: Misses

    /// Each kind of failure is reported with its reason, for every dialect.
    @Test func eachMissHasItsReason() async throws {
        for dialect in GatewayDialect.allCases {
            #expect(await Self.livenessCheck(.nobodys, dialect).ask() == .refused)
        }
        try await TestServer.run(.raw()) { server in
            for dialect in GatewayDialect.allCases {
                #expect(await Self.livenessCheck(server.endpoint, dialect, limits: Self.quick).ask() == .silent)
            }
        }
        try await TestServer.run(.raw(hangsUp: true)) { server in
            for dialect in GatewayDialect.allCases {
                #expect(await Self.livenessCheck(server.endpoint, dialect).ask() == .closed, "\(dialect)")
            }
        }
        try await TestServer.run(.raw(greeting: Array("SSH-2.0-x\r\n".utf8))) { server in
            for dialect in GatewayDialect.allCases {
                #expect(await Self.livenessCheck(server.endpoint, dialect).ask() == .different, "\(dialect)")
            }
        }
    }

    /// A gateway with another certificate than before is another process. The same applies if one with TLS no longer
    /// has any.
    @Test func anotherLeafIsAnotherProcess() async throws {
        let leaf = try #require(LeafFingerprint(String(repeating: "ab", count: 32)))
        let own = try #require(LeafFingerprint(TestCertificate.sha256))
        try await TestServer.run(Self.web(Self.live), tls: true) { server in
            _ = try Self.signature(await Self.livenessCheck(server.endpoint, leaf: own).ask())
            #expect(await Self.livenessCheck(server.endpoint, leaf: leaf).ask() == .different)
            // The server has TLS, but had none before.
            #expect(await Self.livenessCheck(server.endpoint).ask() == .closed)
        }
        try await TestServer.run(.webSocket()) { server in
            #expect(await Self.livenessCheck(server.endpoint, .optaplus, leaf: own).ask() == .different)
        }
    }

    // MARK: A held connection

    /// Holds a connection for a number of checks, each of which follows the answer to the one before, and returns the
    /// end and the number of answers.
    private static func hold(
        _ livenessCheck: LivenessCheck,
        checks count: Int
    ) async -> (end: HeldConnectionEnd, answers: Int) {
        let (checks, check) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let answers = Mutex(0)
        check.yield()
        let end = await livenessCheck.hold(checks: checks) { _, _ in
            let answered = answers.withLock { answers in
                answers += 1
                return answers
            }
            if answered < count { check.yield() } else { check.finish() }
        }
        return (end, answers.withLock { $0 })
    }

    @Test func oneConnectionServesEveryCheck() async throws {
        let all: [(TestServer.Behaviour, GatewayDialect)] = [
            (.webSocket(), .optaplus), (Self.web(Self.live), .openClaw),
        ]
        for (behaviour, dialect) in all {
            for tls in [false, true] {
                try await TestServer.run(behaviour, tls: tls) { server in
                    let leaf = tls ? LeafFingerprint(TestCertificate.sha256) : nil
                    let livenessCheck = Self.livenessCheck(server.endpoint, dialect, leaf: leaf)
                    #expect(livenessCheck.canBeHeld)
                    let (end, answers) = await Self.hold(livenessCheck, checks: 5)
                    #expect(end == .letGo && answers == 5)
                    #expect(server.received.connections == 1)
                }
            }
        }
    }

    /// A server that closes the connection after each answer has answered: the next check opens another connection, and
    /// none counts as missed.
    @Test func aServerThatHangsUpAfterItsAnswerHasAnswered() async throws {
        let closing = TestServer.WebAnswer(
            status: .ok,
            headers: [("Connection", "close")],
            body: Self.live.body
        )
        try await TestServer.run(Self.web(closing)) { server in
            let (end, answers) = await Self.hold(Self.livenessCheck(server.endpoint), checks: 5)
            #expect(end == .letGo && answers == 5)
            #expect(server.received.connections == 5)
        }
    }

    /// The end of a held connection is reported with its reason.
    @Test func theEndOfAHoldHasItsReason() async throws {
        for dialect in [GatewayDialect.optaplus, .openClaw] {
            #expect(await Self.hold(Self.livenessCheck(.nobodys, dialect), checks: 2).end == .notOpened(.refused))
        }
        try await TestServer.run(.raw()) { server in
            let optaplus = Self.livenessCheck(server.endpoint, .optaplus, limits: Self.quick)
            #expect(await Self.hold(optaplus, checks: 2).end == .notOpened(.silent))
            let openClaw = Self.livenessCheck(server.endpoint, limits: Self.quick)
            #expect(await Self.hold(openClaw, checks: 2).end == .silent)
        }
        try await TestServer.run(.webSocket(greeting: ["a"], answer: { _ in [] }, onPing: .hangingUp)) { server in
            #expect(await Self.hold(Self.livenessCheck(server.endpoint, .optaplus), checks: 2).end == .closed)
        }
        try await TestServer.run(.webSocket(onPing: .breaking)) { server in
            #expect(await Self.hold(Self.livenessCheck(server.endpoint, .optaplus), checks: 2).end == .closed)
            #expect(await Self.livenessCheck(server.endpoint, .optaplus).ask() == .closed)
        }
        let before = HTTPSignature(status: 404, server: nil, body: [])
        try await TestServer.run(Self.web(.init(status: .ok))) { server in
            let check = Self.livenessCheck(server.endpoint, signature: before)
            #expect(await Self.hold(check, checks: 2).end == .different)
        }
    }

    /// The time that the receiver of an answer takes does not count against the gateway, even if it is longer than the
    /// time for an answer.
    @Test func theTimeOfTheReceiverDoesNotCount() async throws {
        try await TestServer.run(.raw()) { silent in
            try await TestServer.run(Self.web(Self.live)) { server in
                let (checks, check) = AsyncStream.makeStream(of: Void.self)
                for _ in 0..<3 { check.yield() }
                check.finish()
                let answers = Mutex(0)
                let end = await Self.livenessCheck(server.endpoint).hold(checks: checks) { _, _ in
                    // This takes as long as a gateway may be silent.
                    #expect(await Self.livenessCheck(silent.endpoint, limits: Self.quick).ask() == .silent)
                    answers.withLock { $0 += 1 }
                }
                #expect(end == .letGo)
                #expect(answers.withLock { $0 } == 3)
                #expect(server.received.connections == 1)
            }
        }
    }

    /// A connection is replaced when its lifetime is over, even if it answers.
    @Test func aConnectionThatHasLivedLongEnoughIsReplaced() async throws {
        try await TestServer.run(Self.web(Self.live)) { server in
            var livenessCheck = Self.livenessCheck(server.endpoint)
            livenessCheck.lifetime = .zero
            let (end, answers) = await Self.hold(livenessCheck, checks: 3)
            #expect(end == .letGo && answers == 3)
            #expect(server.received.connections == 3)
        }
    }

    @Test func aCancelledHoldIsLetGo() async throws {
        try await TestServer.run(.webSocket()) { server in
            let (checks, check) = AsyncStream.makeStream(of: Void.self)
            let (answers, answered) = AsyncStream.makeStream(of: Void.self)
            let hold = Task {
                await Self.livenessCheck(server.endpoint, .optaplus).hold(checks: checks) { _, _ in answered.yield() }
            }
            check.yield()
            var iterator = answers.makeAsyncIterator()
            await iterator.next()
            hold.cancel()
            #expect(await hold.value == .letGo)
        }
    }

    private struct Unexpected: Error, CustomStringConvertible {
        let description: String

        init(_ result: LivenessCheckResult) { description = "\(result)" }
    }
}
