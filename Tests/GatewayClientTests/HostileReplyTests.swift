import DNSSD
import Foundation
import GatewayClient
import GatewayProtocol
import NIOCore
import NIOWebSocket
import TestSupport
import Testing

/// Manipulated replies: after each of them the probe ends with a report, within its time limit.
@Suite(.timeLimit(.minutes(10))) struct HostileReplyTests {
    private static let patient = GatewayProbeConfiguration(
        limits: ConnectionLimits(duration: .milliseconds(100)),
        duration: .milliseconds(400),
        greetingTimeout: .milliseconds(4)
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

    /// The behaviour of a server, and the dialect that the probe expects of it.
    private struct Case: Sendable {
        let behaviour: TestServer.Behaviour
        let expected: GatewayDialect?
    }

    private static func makeCase(_ generator: inout SeededGenerator) -> Case {
        let sample = samples[Int(generator.next() % UInt64(samples.count))]
        let bytes = generator.next() % 8 == 0 ? generator.bytes(upTo: 2_000) : generator.mutate(sample)
        let expected = [GatewayDialect.optaplus, .openClaw, .bridge, .openAgents, .clawline, nil][
            Int(generator.next() % 6)
        ]
        let isGreeting = generator.next() % 4 == 0
        if generator.next() % 5 == 0 { return Case(behaviour: makeExcess(&generator), expected: expected) }
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

    /// Returns a behaviour that exceeds a limit: of bytes, depth, keys, fragments, bots or time.
    private static func makeExcess(_ generator: inout SeededGenerator) -> TestServer.Behaviour {
        let count = Int(generator.next() % 100_000)
        func text(_ text: String) -> TestServer.Behaviour { .webSocket(answer: { _ in [.text(text)] }) }
        switch generator.next() % 7 {
        case 0: return text(String(repeating: "[", count: count))
        case 1:
            return text(
                #"{"type":"res","id":"1","ok":true,"payload":"# + String(repeating: #"{"a":"#, count: count / 5)
            )
        case 2: return text("{" + String(repeating: #""type":"res","#, count: count / 13) + #""id":"1"}"#)
        case 3: return .raw(answer: Array(repeating: UInt8(generator.next() % 256), count: count * 20), hangsUp: false)
        case 4:
            let fragment = WebSocketFrame(fin: false, opcode: .continuation, data: ByteBuffer(string: "a"))
            let first = WebSocketFrame(fin: false, opcode: .text, data: ByteBuffer(string: "a"))
            return .webSocket(answer: { _ in [first] + Array(repeating: fragment, count: count / 50) })
        case 5:
            let bots = (0..<count / 40).map { #"{"botId":"b\#($0)","name":"J"}"# }.joined(separator: ",")
            return text(#"{"type":"res","id":"1","ok":true,"payload":{"gatewayFingerprint":"a","bots":[\#(bots)]}}"#)
        default:
            let sample = samples[Int(generator.next() % UInt64(samples.count))]
            return .drip(sample, every: .milliseconds(40))
        }
    }

    /// The number of replies to try; `CLAWRADAR_FUZZ_REPLIES` overrides it.
    private static var count: Int {
        ProcessInfo.processInfo.environment["CLAWRADAR_FUZZ_REPLIES"].flatMap(Int.init) ?? TestCases.count(1_000)
    }

    /// The maximum amount of memory that the process has used so far, in bytes.
    private static var peakMemory: Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1_024 }
    }

    /// Every reply ends in a report, and the memory stays within a limit: eight probes run at once, each of which
    /// receives at most 1 MiB; the servers run in the same process.
    @Test func everyReplyEndsInAReport() async throws {
        var generator = SeededGenerator.forFuzzing("HostileReply")
        let before = Self.peakMemory
        defer {
            if let before, let after = Self.peakMemory {
                #expect(after - before < 128 << 20, "\(before) → \(after) bytes")
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<Self.count {
                let one = Self.makeCase(&generator)
                if index >= 8 { try await group.next() }
                group.addTask {
                    try await TestServer.run(one.behaviour) { server in
                        let target = GatewayProbeTarget(
                            endpoints: [server.endpoint],
                            rules: TargetRules(origin: .user),
                            hints: [ProbeHint(expected: one.expected)]
                        )
                        let report = await GatewayProbe(Self.patient).run(target)
                        // The probe is limited to 400 ms; a machine that pauses is later.
                        #expect(report.elapsed < .seconds(20), "\(index): \(report)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
