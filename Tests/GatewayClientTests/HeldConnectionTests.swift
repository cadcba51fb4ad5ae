import DNSSD
import GatewayProtocol
import NIOCore
import NIOWebSocket
import Testing

@testable import GatewayClient

/// Requests over a connection that is held for liveness checks: requests and checks are both answered, and do not
/// affect each other.
@Suite(.timeLimit(.minutes(1))) struct HeldConnectionTests {
    private typealias Server = ConversationServer

    /// A held connection, and the stream of checks by which its holder asks whether the gateway answers.
    private struct Hold {
        let connection: HeldConnection
        let server: TestServer
        let checks: AsyncStream<Void>.Continuation
        let answers: AsyncStream<Void>

        /// Makes a liveness check, and waits for its answer.
        func check() async {
            checks.yield()
            for await _ in answers { return }
        }
    }

    /// Holds a connection while a closure runs, or until the gateway ends it, and returns the reason for its end.
    private static func hold(
        _ behaviour: TestServer.Behaviour,
        _ body: (Hold) async throws -> Void
    ) async throws -> HeldConnectionEnd {
        try await TestServer.run(behaviour) { server in
            let (checks, check) = AsyncStream.makeStream(of: Void.self)
            let (answers, answered) = AsyncStream.makeStream(of: Void.self)
            let opened = PendingValue<HeldConnection>()
            let livenessCheck = LivenessCheck(
                path: GatewayProbePath(endpoint: server.endpoint, leaf: nil),
                dialect: .optaplus
            )
            let hold = Task {
                await livenessCheck.hold(checks: checks) { _, _ in
                    answered.yield()
                } opened: {
                    opened.settle($0)
                }
            }
            try await body(Hold(connection: await opened.get(), server: server, checks: check, answers: answers))
            check.finish()
            return await hold.value
        }
    }

    /// Requests and liveness checks share one connection, even if a later request is answered first.
    @Test func requestsAndChecksAreAnsweredOverOneConnection() async throws {
        let behaviour = Server.behaviour { request in
            request.method == "second"
                ? [Server.event("a"), Server.answer("2", "2"), Server.answer("x"), Server.answer("1", "1")] : []
        }
        let end = try await Self.hold(behaviour) { hold in
            await hold.check()
            async let first = hold.connection.request("first", params: .object([:]))
            try await pause(while: hold.connection.conversation.pendingCount == 0)
            await hold.check()
            #expect(try await hold.connection.request("second").outcome.get()?.int == 2)
            #expect(try await first.outcome.get()?.int == 1)
            await hold.check()
            #expect(hold.connection.conversation.pendingCount == 0)
            #expect(hold.server.received.connections == 1)
        }
        #expect(end == .letGo)
    }

    @Test func aRequestThatTimesOutOrIsCancelledLeavesNothingBehind() async throws {
        let behaviour = Server.behaviour { request in
            request.method == "c" ? ["1", "2", "3"].map { Server.answer($0, $0) } : []
        }
        let end = try await Self.hold(behaviour) { hold in
            let connection = hold.connection
            let error = await connectionError { try await connection.request("a", timeout: .milliseconds(20)) }
            #expect(error?.code == .timedOut)
            let request = Task { await connectionError { try await connection.request("b") } }
            try await pause(while: connection.conversation.pendingCount == 0)
            request.cancel()
            #expect(await request.value?.code == .cancelled)
            #expect(connection.conversation.pendingCount == 0)
            // The answers to the first two requests arrive now, and are dropped.
            #expect(try await connection.request("c").outcome.get()?.int == 3)
            await hold.check()
        }
        #expect(end == .letGo)
    }

    /// A waiting request, and every later one, fails with the reason for which the gateway closed the connection.
    @Test func whenTheGatewayHangsUpTheRequestHearsWhy() async throws {
        let end = try await Self.hold(Server.behaviour { _ in [.close(1_012, "restart")] }) { hold in
            await hold.check()
            let error = await connectionError { try await hold.connection.request("a") }
            #expect(error?.code == .closed)
            #expect(error?.close?.code == 1_012)
            #expect(await connectionError { try await hold.connection.request("b") } == error, "the error stays")
        }
        #expect(end == .closed)
    }

    /// Responses to no request count as a flood even while a request waits for its answer.
    @Test func aFloodEndsTheRequestAndTheConnection() async throws {
        let frames = Array(repeating: Server.answer("7"), count: 200)
        let end = try await Self.hold(Server.behaviour { _ in frames }) { hold in
            let error = await connectionError { try await hold.connection.request("a") }
            #expect(error?.code == .flooded)
        }
        #expect(end == .flooded)
    }

    /// An answer that is too long ends the connection, but is not reported as a flood: the gateway was asked for it.
    @Test func anAnswerThatIsTooLongIsNoFlood() async throws {
        let answer = Server.answer("1", "\"\(String(repeating: "x", count: HeldConnection.maximumBytes))\"")
        let end = try await Self.hold(Server.behaviour { _ in [answer] }) { hold in
            let error = await connectionError { try await hold.connection.request("a") }
            #expect(error?.code == .tooLong)
        }
        #expect(end == .letGo)
    }

    /// The same holds if the answer comes when its caller has given up: the gateway is not to blame for that.
    @Test func aLateAnswerThatIsTooLongIsNoFlood() async throws {
        let answer = Server.answer("1", "\"\(String(repeating: "x", count: HeldConnection.maximumBytes))\"")
        let behaviour = Server.behaviour { $0.method == "b" ? [answer] : [] }
        let end = try await Self.hold(behaviour) { hold in
            let connection = hold.connection
            let first = await connectionError { try await connection.request("a", timeout: .milliseconds(20)) }
            #expect(first?.code == .timedOut)
            let second = Task { await connectionError { try await connection.request("b", timeout: .milliseconds(1)) } }
            _ = await second.value
            // Nobody asks any more when the answer comes.
            let error = await connectionError { for try await _ in connection.conversation.frames {} }
            #expect(error?.code == .tooLong)
        }
        #expect(end == .letGo)
    }

    /// The limit of bytes applies to each question anew, so that many long answers are no flood.
    @Test func longAnswersToManyRequestsAreNoFlood() async throws {
        let text = String(repeating: "x", count: 40_000)
        let end = try await Self.hold(Server.behaviour { [Server.answer($0.id, "\"\(text)\"")] }) { hold in
            for _ in 0..<10 {
                let answer = try await hold.connection.request("a")
                #expect(try answer.outcome.get()?.string == text)
            }
        }
        #expect(end == .letGo)
    }

    @Test func requestsAreBoundedInNumberAndSize() async throws {
        let end = try await Self.hold(Server.behaviour { _ in [] }) { hold in
            let connection = hold.connection
            let long = JSONValue.string(String(repeating: "x", count: HeldConnection.maximumBytes))
            #expect(await connectionError { try await connection.request("a", params: long) }?.code == .tooLong)
            await withTaskGroup(of: GatewayConnectionError.Code?.self) { group in
                for _ in 0...HeldConnection.maximumRequests {
                    group.addTask { await connectionError { try await connection.request("b") }?.code }
                }
                #expect(await group.next() == .busy)
                // The connection is given up while all the other requests wait.
                hold.checks.finish()
                var codes: [GatewayConnectionError.Code?] = []
                for await code in group { codes.append(code) }
                #expect(codes == Array(repeating: .closed, count: HeldConnection.maximumRequests))
            }
        }
        #expect(end == .letGo)
    }

    /// A peer that reads nothing cannot keep its connection: the requests fill the buffers of both hosts, so that the
    /// next ping cannot be sent.
    @Test func aConnectionToAPeerThatReadsNothingIsLetGo() async throws {
        let long = JSONValue.string(String(repeating: "x", count: HeldConnection.maximumBytes - 1_000))
        let end = try await Self.hold(Server.behaviour(onPing: .pongAndNoMoreReading) { _ in [] }) { hold in
            await hold.check()
            var code: GatewayConnectionError.Code? = .timedOut
            while code == .timedOut {
                code = await connectionError {
                    try await hold.connection.request("a", params: long, timeout: .milliseconds(5))
                }?.code
            }
            #expect(code == .busy)
            hold.checks.yield()
        }
        #expect(end == .letGo)
    }

    /// The rest of a message that began before the request is not taken for an answer: its beginning was dropped,
    /// because nobody waited for messages.
    @Test func aMessageThatBeganBeforeTheRequestIsNoAnswer() async throws {
        @Sendable func part(_ opcode: WebSocketOpcode, _ text: String, fin: Bool) -> WebSocketFrame {
            WebSocketFrame(fin: fin, opcode: opcode, data: ByteBuffer(string: text))
        }
        let behaviour = TestServer.Behaviour.webSocket(
            answer: { text in
                text.contains("\"a\"")
                    ? [
                        part(.continuation, #","id":"1","ok":true}"#, fin: true),
                        part(.text, #"{"type":"res""#, fin: false),
                        part(.continuation, #","id":"1","ok":true,"payload":5}"#, fin: true),
                    ] : []
            },
            onPing: .pongAfter([part(.text, #"{"type":"res""#, fin: false)])
        )
        let end = try await Self.hold(behaviour) { hold in
            await hold.check()
            let answer = try await hold.connection.request("a")
            #expect(try answer.outcome.get()?.int == 5)
        }
        #expect(end == .letGo)
    }

    /// Only OptaPlus takes requests over a held connection: the other dialects use HTTP, or their answers do not repeat
    /// an id.
    @Test(arguments: GatewayDialect.allCases)
    func onlyOptaPlusTakesRequests(dialect: GatewayDialect) {
        #expect(LivenessCheck.takesRequests(dialect) == (dialect == .optaplus))
    }
}
