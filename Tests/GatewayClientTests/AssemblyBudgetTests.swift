import DNSSD
import GatewayProtocol
import NIOCore
import NIOWebSocket
import Testing

@testable import GatewayClient

/// The memory for incomplete messages: which bytes are counted, and for how long a connection may keep its share.
@Suite(.timeLimit(.minutes(1))) struct AssemblyBudgetTests {
    private static let bytes = 1_000

    private static func frame(_ opcode: WebSocketOpcode, fin: Bool = true, _ count: Int) -> WebSocketFrame {
        WebSocketFrame(fin: fin, opcode: opcode, data: ByteBuffer(repeating: 0x61, count: count))
    }

    /// Bytes that turn out not to be part of a message are returned to the budget, and so is everything once no message
    /// is assembled any more.
    @Test func excludedBytesAreReturnedToTheBudget() {
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
        #expect(transcript.assemble(.max, at: .now), "nothing is counted after the end of the assembly")
        #expect(budget.available == Self.bytes)
    }

    /// The time of a share begins when the connection takes the first byte from the budget, ends with the message, and
    /// does not include pauses in which nothing is read.
    @Test func theTimeOfAShareIsLimited() {
        let start = ContinuousClock.now
        func left(_ share: AssemblyShare, at second: Int) -> Duration? {
            share.timeLeft(of: .seconds(100), at: start + .seconds(second))
        }
        var share = AssemblyShare()
        share.count(against: AssemblyBudget(bytes: Self.bytes))
        #expect(share.assemble(AssemblyBudget.freeBytes, at: start) == true)
        #expect(left(share, at: 0) == nil, "the free bytes of each connection are no share")
        #expect(share.assemble(1, at: start + .seconds(10)) == true)
        #expect(share.assemble(1, at: start + .seconds(20)) == true)
        #expect(left(share, at: 30) == .seconds(80), "the time counts from the first byte of the share")
        share.pause(at: start + .seconds(40))
        share.pause(at: start + .seconds(45))
        #expect(left(share, at: 90) == .seconds(70), "a pause does not count")
        share.resume(at: start + .seconds(90))
        #expect(left(share, at: 100) == .seconds(60))
        #expect(left(share, at: 200) == .seconds(-40))
        share.assembled()
        #expect(left(share, at: 200) == nil)
        #expect(share.assemble(AssemblyBudget.freeBytes + 1, at: start + .seconds(200)) == true)
        #expect(left(share, at: 200) == .seconds(100), "another message has the full time")
        share.count(against: nil)
        #expect(left(share, at: 200) == nil)
    }

    /// Returns the first event after the server was asked to send frames.
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
                    dialer: dialer,
                    wantsMessages: wantsMessages
                )
                try await connection.send(Array("go".utf8))
                return await connection.next()
            }
        }
    }

    /// Control frames between the fragments of a message do not count as part of it: a gateway may send pongs while it
    /// sends a long message slowly.
    @Test func controlFramesAreNoPartOfAMessage() async throws {
        let budget = AssemblyBudget(bytes: Self.bytes)
        let pongs = Array(repeating: Self.frame(.pong, 100), count: 1_000)
        let frames = [Self.frame(.text, fin: false, 10)] + pongs + [Self.frame(.continuation, 10)]
        let event = try await firstEvent(frames, wantsMessages: true, budget)
        #expect(event == .message([UInt8](repeating: 0x61, count: 20)))
        #expect(budget.available == Self.bytes)
    }

    /// Fragments are not counted while nobody waits for messages, because nothing of them is kept.
    @Test func fragmentsThatNobodyWantsAreNotCounted() async throws {
        let budget = AssemblyBudget(bytes: Self.bytes)
        let fragments = Array(repeating: Self.frame(.continuation, fin: false, 1_000), count: 100)
        let frames = [Self.frame(.text, fin: false, 10)] + fragments + [WebSocketFrame.close(1_000)]
        let event = try await firstEvent(frames, wantsMessages: false, budget)
        #expect(event == .closed(WebSocketClose(code: 1_000)))
        #expect(budget.available == Self.bytes)
    }
}
