import DNSSD
import GatewayProtocol
import NIOCore
import NIOWebSocket
import Testing

@testable import GatewayClient

/// The bytes that count as a message that is not whole yet.
@Suite(.timeLimit(.minutes(1))) struct AssemblyBudgetTests {
    private static let bytes = 1_000

    private static func frame(_ opcode: WebSocketOpcode, fin: Bool = true, _ count: Int) -> WebSocketFrame {
        WebSocketFrame(fin: fin, opcode: opcode, data: ByteBuffer(repeating: 0x61, count: count))
    }

    @Test func whatIsLeftOutIsGivenBack() {
        let budget = AssemblyBudget(bytes: Self.bytes)
        let transcript = Transcript()
        transcript.limitAssembly(by: budget)
        #expect(transcript.assemble(AssemblyBudget.freeBytes + 600, at: .now))
        #expect(budget.available == 400)
        transcript.leaveOut(100)
        #expect(budget.available == 500)
        #expect(!transcript.assemble(600, at: .now))
        transcript.endAssembly()
        #expect(budget.available == Self.bytes)
        #expect(transcript.assemble(.max, at: .now), "nothing is made of it any more")
        #expect(budget.available == Self.bytes)
    }

    /// The time runs from the first byte of a share to its last, and not while nothing is read.
    @Test func aShareIsHadForATime() {
        let start = ContinuousClock.now
        func left(_ share: AssemblyShare, at second: Int) -> Duration? {
            share.timeLeft(of: .seconds(100), at: start + .seconds(second))
        }
        var share = AssemblyShare()
        share.count(against: AssemblyBudget(bytes: Self.bytes))
        #expect(share.assemble(AssemblyBudget.freeBytes, at: start) == true)
        #expect(left(share, at: 0) == nil, "what each connection has besides")
        #expect(share.assemble(1, at: start + .seconds(10)) == true)
        #expect(share.assemble(1, at: start + .seconds(20)) == true)
        #expect(left(share, at: 30) == .seconds(80), "since its first byte")
        share.pause(at: start + .seconds(40))
        share.pause(at: start + .seconds(45))
        #expect(left(share, at: 90) == .seconds(70), "nothing is read")
        share.resume(at: start + .seconds(90))
        #expect(left(share, at: 100) == .seconds(60))
        #expect(left(share, at: 200) == .seconds(-40))
        share.assembled()
        #expect(left(share, at: 200) == nil)
        #expect(share.assemble(AssemblyBudget.freeBytes + 1, at: start + .seconds(200)) == true)
        #expect(left(share, at: 200) == .seconds(100), "another message")
        share.count(against: nil)
        #expect(left(share, at: 200) == nil)
    }

    /// Returns the event that comes first when the server sends frames.
    private func firstEvent(
        _ frames: [WebSocketFrame],
        wantsMessages: Bool,
        _ budget: AssemblyBudget
    ) async throws -> WebSocketEvent {
        let behaviour = TestServer.Behaviour.webSocket(answer: { _ in frames })
        return try await TestServer.run(behaviour) { server in
            let limits = ConnectionLimits(connectionBytes: 1 << 20, frames: 4_000, duration: .seconds(30))
            return try await Dialer.run(limits: limits) { dialer in
                var dialer = dialer
                dialer.assembly = budget
                var connection = try await WebSocketConnection.open(
                    [server.endpoint],
                    transport: .plain,
                    resource: "/",
                    dialer: dialer,
                    wantsMessages: wantsMessages
                )
                try await connection.send(Array("go".utf8))
                return await connection.next()
            }
        }
    }

    /// A gateway that gives signs of life while it sends a long message slowly.
    @Test func controlFramesAreNoPartOfAMessage() async throws {
        let budget = AssemblyBudget(bytes: Self.bytes)
        let pongs = Array(repeating: Self.frame(.pong, 100), count: 1_000)
        let frames = [Self.frame(.text, fin: false, 10)] + pongs + [Self.frame(.continuation, 10)]
        let event = try await firstEvent(frames, wantsMessages: true, budget)
        #expect(event == .message([UInt8](repeating: 0x61, count: 20)))
        #expect(budget.available == Self.bytes)
    }

    /// Of fragments that nobody wants, nothing is kept.
    @Test func fragmentsThatNobodyWantsAreNotCounted() async throws {
        let budget = AssemblyBudget(bytes: Self.bytes)
        let fragments = Array(repeating: Self.frame(.continuation, fin: false, 1_000), count: 100)
        let frames = [Self.frame(.text, fin: false, 10)] + fragments + [WebSocketFrame.close(1_000)]
        let event = try await firstEvent(frames, wantsMessages: false, budget)
        #expect(event == .closed(WebSocketClose(code: 1_000)))
        #expect(budget.available == Self.bytes)
    }
}
