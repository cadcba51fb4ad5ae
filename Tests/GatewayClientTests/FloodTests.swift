import DNSSD
import GatewayProtocol
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Testing

@testable import GatewayClient

/// Peers that send frames without end: a frame that nobody waits for is dropped, but counted, and few of them are
/// allowed.
@Suite(.timeLimit(.minutes(1))) struct FloodTests {
    private static let discovered =
        #"{"type":"res","id":"1","ok":true,"payload":{"gatewayFingerprint":"abc123","gatewayName":"Home","bots":[]}}"#

    private static let kinds: [WebSocketFrame] = [
        WebSocketFrame(fin: true, opcode: .pong, data: ByteBuffer()),
        WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()),
        WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer()),
        WebSocketFrame(fin: true, opcode: .binary, data: ByteBuffer(repeating: 0, count: 60_000)),
        WebSocketFrame(fin: false, opcode: .text, data: ByteBuffer()),
    ]

    /// A flood that follows the answer to a liveness check ends the held connection.
    @Test(arguments: kinds, [false, true])
    func aFloodEndsAKeptConnection(frame: WebSocketFrame, tls: Bool) async throws {
        let count = frame.data.readableBytes > 0 ? 200 : 20_000
        let behaviour = TestServer.Behaviour.webSocket(onPing: .flood(frame, count: count))
        try await TestServer.run(behaviour, tls: tls) { server in
            let leaf = tls ? LeafFingerprint(TestCertificate.sha256) : nil
            let path = GatewayProbePath(endpoint: server.endpoint, leaf: leaf)
            let (checks, check) = AsyncStream.makeStream(of: Void.self)
            check.yield()
            let end = await LivenessCheck(path: path, dialect: .optaplus).hold(checks: checks) { _, _ in }
            #expect(end == .flooded)
        }
    }

    /// Frames that a busy gateway sends by itself between two liveness checks are no flood, however long the connection
    /// lives.
    @Test func aFewFramesPerQuestionAreNoFlood() async throws {
        let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(repeating: 0x20, count: 1_000))
        try await TestServer.run(.webSocket(onPing: .flood(frame, count: 15))) { server in
            let path = GatewayProbePath(endpoint: server.endpoint, leaf: nil)
            let (checks, check) = AsyncStream.makeStream(of: Void.self)
            let (answers, answered) = AsyncStream.makeStream(of: Void.self)
            let hold = Task {
                defer { answered.finish() }
                return await LivenessCheck(path: path, dialect: .optaplus).hold(checks: checks) { _, _ in
                    answered.yield()
                }
            }
            var iterator = answers.makeAsyncIterator()
            for _ in 0..<100 {
                check.yield()
                await iterator.next()
            }
            check.finish()
            #expect(await hold.value == .letGo)
        }
    }

    /// A flood before the answer ends a probe before its time limit.
    @Test(arguments: kinds.prefix(2))
    func aProbeEndsAFlood(frame: WebSocketFrame) async throws {
        let frames = Array(repeating: frame, count: 20_000) + [.text(Self.discovered)]
        let behaviour = TestServer.Behaviour.webSocket(
            answer: { _ in frames },
            http: { _ in .init(status: .badRequest) }
        )
        try await TestServer.run(behaviour) { server in
            let target = GatewayProbeTarget(
                endpoints: [server.endpoint],
                rules: TargetRules(origin: .user),
                hints: [ProbeHint(expected: .optaplus)]
            )
            let report = await GatewayProbe().run(target)
            guard case .other(let answer) = report.verdict else {
                Issue.record("\(report)")
                return
            }
            #expect(answer.summary == "a WebSocket service that floods")
        }
    }

    @Test func aFloodOfLinesEndsToo() async throws {
        let lines = [UInt8](repeating: 0x0A, count: 200_000)
        try await TestServer.run(.raw(answer: lines)) { server in
            let end = try await LineConnection.withConnection(to: [server.endpoint]) { connection in
                try await connection.send(Array("hello".utf8))
                var (event, count) = (await connection.next(), 0)
                while case .line = event { (event, count) = (await connection.next(), count + 1) }
                #expect(count <= 64)
                return event
            }
            guard case .failed(let error) = end else {
                Issue.record("\(end)")
                return
            }
            #expect(error.code == .flooded)
        }
    }

    /// Interim responses (HTTP 1xx) are no answer, whatever their number.
    @Test func interimResponsesAreNoAnswer() async throws {
        let bytes = Array(repeating: Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), count: 60_000).flatMap { $0 }
        try await TestServer.run(.raw(answer: bytes)) { server in
            let target = GatewayProbeTarget(endpoints: [server.endpoint], rules: TargetRules(origin: .user))
            let report = await GatewayProbe().run(target)
            #expect(!report.verdict.summary.contains("HTTP 1"), "\(report.verdict)")
            #expect(report.verdict.dialect == nil)
        }
    }

    // MARK: Back-pressure

    @Test func nothingIsReadWhileMuchWaits() {
        let backlog = WebSocketBacklog()
        for _ in 0..<15 { backlog.add(.pong([]), bytes: 0) }
        #expect(backlog.mayRead())
        backlog.add(.pong([]), bytes: 0)
        #expect(!backlog.mayRead())
        #expect(backlog.took(.pong([])), "the postponed read is made now")
        #expect(!backlog.took(.pong([])), "a postponed read is made only once")
        #expect(backlog.mayRead())
        let message = WebSocketEvent.message(Array(repeating: 0, count: 65_536))
        backlog.add(message, bytes: 65_536)
        #expect(!backlog.mayRead())
        #expect(backlog.took(message))
    }

    /// Everything arrives, although it is more than all buffers on the path can hold: reading goes on when there is
    /// room again.
    @Test(arguments: [false, true])
    func backPressureLosesNothing(tls: Bool) async throws {
        let count = 300
        let frames = (0..<count).map { WebSocketFrame.text(String(repeating: "x", count: 10_000) + "\($0)") }
        try await TestServer.run(.webSocket(answer: { _ in frames }), tls: tls) { server in
            let limits = ConnectionLimits(connectionBytes: .max, frames: .max, duration: .seconds(30))
            try await WebSocketConnection.withConnection(
                to: [server.endpoint],
                transport: tls ? .tls() : .plain,
                limits: limits
            ) { connection in
                try await connection.send(Array("go".utf8))
                for number in 0..<count {
                    guard case .message(let bytes) = await connection.next() else {
                        Issue.record("the connection ended after \(number) messages")
                        return
                    }
                    #expect(bytes.count == 10_000 + "\(number)".utf8.count)
                }
            }
        }
    }
}
