import DNSSD
import GatewayProtocol
import NIOCore
import NIOWebSocket
import Testing

@testable import GatewayClient

@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
    private static let limits = ConnectionLimits(
        frameBytes: 1_000,
        connectionBytes: 4_000,
        duration: .seconds(5)
    )

    /// Returns the first event after a message was sent to the server, which answers with frames.
    private func firstEvent(_ frames: [WebSocketFrame]) async throws -> WebSocketEvent {
        try await TestServer.run(.webSocket(answer: { _ in frames })) { server in
            try await WebSocketConnection.withConnection(to: [server.endpoint], limits: Self.limits) { connection in
                try await connection.send(Array("hello".utf8))
                return await connection.next()
            }
        }
    }

    @Test func messagesComeWhole() async throws {
        #expect(try await firstEvent([.text("a")]) == .message(Array("a".utf8)))
        let parts = [
            WebSocketFrame(fin: false, opcode: .text, data: ByteBuffer(string: "ab")),
            WebSocketFrame(fin: true, opcode: .continuation, data: ByteBuffer(string: "c")),
        ]
        #expect(try await firstEvent(parts) == .message(Array("abc".utf8)))
    }

    /// The code and the reason of a close frame are reported. The reason is limited, and cleaned when it is shown.
    @Test func closeCodesAreTold() async throws {
        #expect(try await firstEvent([.close(1_008)]) == .closed(WebSocketClose(code: 1_008)))
        let removed = WebSocketClose(code: 4_001, reason: Array("device removed".utf8))
        #expect(try await firstEvent([.close(4_001, "device removed")]) == .closed(removed))
        #expect("\(removed)" == "code 4001: device removed")
        // The reason is cut inside a character and contains a control character, as any peer could send it.
        let cut = WebSocketClose(code: 1_008, reason: [0x61, 0x1B, 0xF0, 0x9F] + Array(repeating: 0x62, count: 200))
        #expect(cut.reason.count == 123)
        #expect("\(cut)".hasPrefix("code 1008: a\u{FFFD}\u{FFFD}b"))
    }

    /// A connection that breaks counts as closed without a code, and not as an error of the peer.
    @Test(arguments: [false, true])
    func aBrokenConnectionIsClosed(tls: Bool) async throws {
        let event = try await TestServer.run(.webSocket(onPing: .breaking), tls: tls) { server in
            try await WebSocketConnection.withConnection(
                to: [server.endpoint],
                transport: tls ? .tls() : .plain,
                limits: Self.limits
            ) { connection in
                try await connection.ping()
                return await connection.next()
            }
        }
        #expect(event == .closed(WebSocketClose(code: nil)))
    }

    /// A frame that is longer than the limit fails the connection.
    @Test func framesAreBounded() async throws {
        let event = try await firstEvent([.text(String(repeating: "a", count: 1_001))])
        guard case .failed(let error) = event else {
            Issue.record("\(event)")
            return
        }
        #expect(error.code == .tooLong)
    }

    /// More bytes than the limit of a connection fail it, although each frame is within its own limit.
    @Test func connectionsAreBounded() async throws {
        let frames = Array(repeating: WebSocketFrame.text(String(repeating: "a", count: 900)), count: 10)
        let last = try await TestServer.run(.webSocket(answer: { _ in frames })) { server in
            try await WebSocketConnection.withConnection(to: [server.endpoint], limits: Self.limits) { connection in
                try await connection.send(Array("hello".utf8))
                var event = await connection.next()
                while case .message = event { event = await connection.next() }
                return event
            }
        }
        guard case .failed(let error) = last else {
            Issue.record("\(last)")
            return
        }
        #expect(error.code == .tooLong)
    }

    /// Frames that a server may not send fail the connection (RFC 6455 §5.1 and §5.2).
    @Test(arguments: [
        WebSocketFrame(fin: true, opcode: .text, maskKey: [1, 2, 3, 4], data: ByteBuffer(string: "a")),
        WebSocketFrame(fin: true, rsv1: true, opcode: .text, data: ByteBuffer(string: "a")),
        WebSocketFrame(fin: true, rsv2: true, opcode: .pong, data: ByteBuffer()),
        WebSocketFrame(fin: true, rsv3: true, opcode: .ping, data: ByteBuffer()),
        WebSocketFrame(fin: true, opcode: .continuation, data: ByteBuffer(string: "a")),
        WebSocketFrame(fin: true, opcode: WebSocketOpcode(encodedWebSocketOpcode: 3)!, data: ByteBuffer()),
    ])
    func forbiddenFramesFailTheConnection(frame: WebSocketFrame) async throws {
        guard case .failed(let error) = try await firstEvent([frame, .text("b")]) else {
            Issue.record("\(frame) must not be accepted")
            return
        }
        #expect(error.code == .notUnderstood)
    }

    /// A new message that begins inside another one fails the connection (RFC 6455 §5.4).
    @Test func aMessageInsideAnotherEndsIt() async throws {
        let first = WebSocketFrame(fin: false, opcode: .text, data: ByteBuffer(string: "a"))
        guard case .failed(let error) = try await firstEvent([first, .text("b")]) else {
            Issue.record("the second message must not be accepted")
            return
        }
        #expect(error.code == .notUnderstood)
    }

    @Test func pingsAreAnswered() async throws {
        try await TestServer.run(.webSocket()) { server in
            try await WebSocketConnection.withConnection(to: [server.endpoint], limits: Self.limits) { connection in
                try await connection.ping()
                #expect(await connection.next() == .pong([]))
                #expect(await connection.next(within: .milliseconds(10)) == nil)
            }
        }
    }

    /// A ping that arrives while nothing can be sent is answered later, with one pong for the last of several pings
    /// (RFC 6455 §5.5.3): some gateways end a session when a single pong is missing.
    @Test func aPingIsAnsweredOnceThereIsRoom() async throws {
        let frames = ["first", "last"].map {
            WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer(string: $0))
        }
        try await TestServer.run(.webSocket(answer: { _ in frames + [.text("done")] })) { server in
            try await WebSocketConnection.withConnection(to: [server.endpoint], limits: Self.limits) { connection in
                let channel = connection.channel
                let mark = ChannelOptions.Types.WriteBufferWaterMark(low: 1, high: 100)
                try await channel.setOption(.writeBufferWaterMark, value: mark).get()
                // Both writes happen at once, so that the answer cannot arrive before the channel has become
                // unwritable.
                try await channel.eventLoop.submit {
                    channel.writeAndFlush(Self.masked(.text, ByteBuffer(string: "go")), promise: nil)
                    channel.write(Self.masked(.binary, ByteBuffer(repeating: 0, count: 1_000)), promise: nil)
                }.get()
                #expect(await connection.next() == .message(Array("done".utf8)))
                #expect(!channel.isWritable)
                channel.flush()
                // The server answers this ping only after it has received the pong above.
                try await connection.ping()
                #expect(await connection.next() == .pong([]))
                #expect(Self.pongs(in: server.received.bytes) == ["last"])
            }
        }
    }

    private static func masked(_ opcode: WebSocketOpcode, _ data: ByteBuffer) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
    }

    /// Returns the payloads of the pongs among the frames that a client sent after its upgrade request.
    private static func pongs(in bytes: [UInt8]) -> [String] {
        let end = Array("\r\n\r\n".utf8)
        guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return [] }
        var rest = bytes[(start + end.count)...]
        var pongs: [String] = []
        while rest.count >= 6 {
            let head = Array(rest.prefix(4))
            let isLong = head[1] & 0x7F == 126
            let count = isLong ? Int(head[2]) << 8 | Int(head[3]) : Int(head[1] & 0x7F)
            rest = rest.dropFirst(isLong ? 4 : 2)
            let mask = Array(rest.prefix(4))
            let payload = rest.dropFirst(4).prefix(count).enumerated().map { $0.element ^ mask[$0.offset % 4] }
            if head[0] == 0x8A { pongs.append(String(decoding: payload, as: UTF8.self)) }
            rest = rest.dropFirst(4 + count)
        }
        return pongs
    }

    /// A connection ends when its time limit is over, although the peer is silent.
    @Test func theTimeOfAConnectionEnds() async throws {
        var limits = Self.limits
        limits.duration = .seconds(1)
        let event = try await TestServer.run(.webSocket()) { server in
            try await WebSocketConnection.withConnection(to: [server.endpoint], limits: limits) { connection in
                await connection.next()
            }
        }
        guard case .failed(let error) = event else {
            Issue.record("\(event)")
            return
        }
        #expect(error.code == .timedOut)
    }

    /// A cancelled task does not keep waiting for an event.
    @Test func aCancelledTaskLetsGo() async throws {
        var limits = Self.limits
        limits.duration = .seconds(30)
        try await TestServer.run(.webSocket()) { server in
            let task = Task { [limits] in
                try await WebSocketConnection.withConnection(to: [server.endpoint], limits: limits) { connection in
                    await connection.next()
                }
            }
            task.cancel()
            switch await task.result {
            case .success(.failed(let error)): #expect(error.code == .timedOut)
            case .success(let event): Issue.record("\(event)")
            case .failure(let error): #expect((error as? GatewayConnectionError)?.code == .timedOut)
            }
        }
    }

    /// The failure of an upgrade is reported as such, with the first bytes of the answer.
    @Test func aWebServerWithoutWebSocketIsNamedSo() async throws {
        let error = await #expect(throws: GatewayConnectionError.self) {
            try await TestServer.run(.webSocket(path: nil)) { server in
                try await WebSocketConnection.withConnection(to: [server.endpoint], limits: Self.limits) { _ in }
            }
        }
        #expect(error?.code == .notUpgraded)
        #expect(error?.firstBytes.starts(with: "HTTP/1.1 404".utf8) == true)
    }

    /// A line connection splits bytes into lines, and fails when a line is too long.
    @Test func linesAreCutAndBounded() async throws {
        let answer = Array("one\ntwo\n".utf8) + Array(repeating: 0x61, count: 1_001)
        try await TestServer.run(.raw(answer: answer)) { server in
            try await LineConnection.withConnection(to: [server.endpoint], limits: Self.limits) { connection in
                try await connection.send(Array("hello".utf8))
                #expect(await connection.next() == .line(Array("one".utf8)))
                #expect(await connection.next() == .line(Array("two".utf8)))
                guard case .failed(let error) = await connection.next() else {
                    Issue.record("the third line is too long and must not be accepted")
                    return
                }
                #expect(error.code == .tooLong)
            }
        }
    }

    @Test func linesGoThroughTLS() async throws {
        try await TestServer.run(.raw(answer: Array("one\n".utf8)), tls: true) { server in
            let limits = Self.limits
            try await LineConnection.withConnection(to: [server.endpoint], transport: .tls(), limits: limits) {
                connection in
                try await connection.send(Array("hello".utf8))
                #expect(await connection.next() == .line(Array("one".utf8)))
                #expect(connection.path.leaf == LeafFingerprint(TestCertificate.sha256))
            }
        }
    }
}
