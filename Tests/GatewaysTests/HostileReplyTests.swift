import DNSSD
import GatewayProtocol
import Gateways
import NIOCore
import NIOWebSocket
import TestSupport
import Testing

/// Replies that were tampered with: each ends in a report, in time.
@Suite(.timeLimit(.minutes(1))) struct HostileReplyTests {
    private static let patient = GatewayProbeConfiguration(
        limits: ConnectionLimits(duration: .milliseconds(100)),
        duration: .milliseconds(400),
        patience: .milliseconds(4)
    )

    private static let samples: [[UInt8]] = [
        #"{"type":"res","id":"1","ok":true,"payload":{"gatewayFingerprint":"abc","bots":[{"botId":"b","name":"J"}]}}"#,
        #"{"type":"event","event":"connect.challenge","payload":{"nonce":"b7e6","ts":1737264000000}}"#,
        #"{"type":"res","id":"1","ok":false,"error":{"code":"UNAUTHORIZED","message":"not authenticated"}}"#,
        #"{"type":"HelloAck","token":""}"#,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 26\r\n\r\n{\"ok\":true,\"status\":\"live\"}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n",
        "\u{15}\u{3}\u{3}\0\u{2}\u{2}F",
    ].map { Array($0.utf8) }

    /// What one server does.
    private struct Case: Sendable {
        let behaviour: TestServer.Behaviour
        let expected: GatewayDialect?
    }

    private static func makeCase(_ generator: inout SeededGenerator) -> Case {
        let sample = samples[Int(generator.next() % UInt64(samples.count))]
        let bytes = generator.next() % 8 == 0 ? generator.bytes(upTo: 2_000) : generator.mutate(sample)
        let expected = [GatewayDialect.design, .openClaw, .bridge, .openAgents, .clawline, nil][
            Int(generator.next() % 6)
        ]
        let isGreeting = generator.next() % 4 == 0
        let lineFeed: [UInt8] = generator.next() % 2 == 0 ? [0x0A] : []
        switch generator.next() % 4 {
        case 0:
            let opcodes: [WebSocketOpcode] = [.text, .binary, .continuation, .ping, .connectionClose]
            let opcode = opcodes[Int(generator.next() % 5)]
            let isWhole = generator.next() % 4 != 0
            let frame = WebSocketFrame(fin: isWhole, opcode: opcode, data: ByteBuffer(bytes: bytes.prefix(100)))
            return Case(behaviour: .webSocket(answer: { _ in [frame, .close(1_000)] }), expected: expected)
        case 1:
            let text = String(decoding: bytes, as: UTF8.self)
            return Case(behaviour: .webSocket(answer: { _ in [.text(text)] }), expected: expected)
        default:
            return Case(
                behaviour: .raw(
                    greeting: isGreeting ? bytes : [],
                    answer: isGreeting ? nil : bytes + lineFeed,
                    hangsUp: generator.next() % 8 != 0
                ),
                expected: expected
            )
        }
    }

    @Test func everyReplyEndsInAReport() async throws {
        var generator = SeededGenerator.forFuzzing("HostileReply")
        let cases = (0..<2_000).map { _ in Self.makeCase(&generator) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, one) in cases.enumerated() {
                if index >= 8 { try await group.next() }
                group.addTask {
                    try await TestServer.run(one.behaviour) { server in
                        let target = GatewayProbeTarget(
                            endpoints: [server.endpoint],
                            rules: TargetRules(origin: .user),
                            expected: one.expected
                        )
                        let report = await GatewayProbe(Self.patient).run(target)
                        // The rest is for a machine that does other things as well.
                        #expect(report.elapsed < .seconds(2), "\(index): \(report)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
