import DNSSD
import GatewayProtocol
import NIOCore
import NIOWebSocket
import Testing

@testable import GatewayClient

/// Received bytes: how many wait to be taken, how many may be assembled to messages, and how many are a flood.
@Suite(.timeLimit(.minutes(1))) struct ConversationFlowTests {
    private typealias Server = ConversationServer

    /// Reading stops while the limit of undelivered bytes is reached. The rest of more than a megabyte waits at the
    /// gateway, and arrives in order when there is room again.
    @Test(arguments: [false, true])
    func nothingIsReadWhileMuchWaits(tls: Bool) async throws {
        let count = 300
        let behaviour = Server.behaviour { request in
            request.method == "go"
                ? (0..<count).map { Server.event("\($0)" + String(repeating: " ", count: 200)) }
                    .flatMap { [$0, .text(#"{"type":"new","x":"\#(String(repeating: "x", count: 4_000))"}"#)] }
                    + [Server.answer(request.id)] : [Server.answer(request.id)]
        }
        var limits = ConnectionLimits.session
        limits.undeliveredBytes = 20_000
        try await TestServer.run(behaviour, tls: tls) { [limits] server in
            let transport = tls ? GatewayTransport.tls() : .plain
            try await GatewayConversation.withConversation(
                to: [server.endpoint],
                transport: transport,
                limits: limits
            ) { gateway in
                let request = Task { await connectionError { try await gateway.request("go", timeout: .seconds(60)) } }
                try await pause(while: gateway.waitingBytes < 20_000)
                request.cancel()
                #expect(await request.value?.code == .cancelled)
                var number = 0
                for try await case .event(let event) in gateway.frames {
                    #expect(event.name.hasPrefix("\(number) "))
                    #expect(gateway.waitingBytes < 21_000)
                    number += 1
                    if number == count { break }
                }
                _ = try await gateway.request("a")
                #expect(gateway.drops == GatewayConversation.Drops(lateAnswers: 1, unknownMessages: count))
            }
        }
    }

    @Test func aMessageOfMegabytesIsWhole() async throws {
        let text = String(repeating: "y", count: 3 << 19)
        try await TestServer.run(Server.behaviour { [Server.answer($0.id, "\"\(text)\"")] }) { server in
            try await GatewayConversation.withConversation(to: [server.endpoint]) { gateway in
                let answer = try await gateway.request("a")
                #expect(try answer.outcome.get()?.string?.utf8.count == 3 << 19)
            }
        }
    }

    /// All conversations share the memory for incomplete messages, and return it when a message is complete or the
    /// conversation ends.
    @Test func messagesInAssemblyAreBoundedOverAll() async throws {
        let budget = AssemblyBudget(bytes: 3 << 17)
        let text = String(repeating: "y", count: 2 << 17)
        let behaviour = Server.behaviour { request in
            [Server.answer(request.id, "\"\(text)\(request.method == "b" ? text : "")\"")]
        }
        try await TestServer.run(behaviour) { server in
            let error = await connectionError {
                try await converse(with: server, limits: .session, budget) { gateway in
                    for _ in 0..<3 { _ = try await gateway.request("a") }
                    #expect(budget.available == 3 << 17)
                    return try await gateway.request("b").id
                }
            }
            #expect(error?.code == .tooLong)
            #expect(budget.available == 3 << 17)
        }
    }

    /// A message that is begun and never completed ends its conversation after a time limit, and its memory is
    /// returned.
    @Test func aMessageThatNeverEndsGivesItsShareBack() async throws {
        let budget = AssemblyBudget(bytes: 1 << 20)
        let beginning = WebSocketFrame(fin: false, opcode: .text, data: ByteBuffer(repeating: 0x20, count: 100_000))
        var limits = ConnectionLimits.session
        limits.assembling = .seconds(1)
        try await TestServer.run(Server.behaviour { _ in [beginning] }) { [limits] server in
            let error = await connectionError {
                try await converse(with: server, limits: limits, budget) { gateway in
                    let request = Task {
                        await connectionError { try await gateway.request("a", timeout: .seconds(50)) }
                    }
                    try await pause(while: budget.available == 1 << 20)
                    if let error = await request.value { throw error }
                }
            }
            #expect(error?.code == .tooLong)
            #expect(budget.available == 1 << 20)
        }
    }

    private func converse<Value: Sendable>(
        with server: TestServer,
        limits: ConnectionLimits,
        _ budget: AssemblyBudget,
        _ body: (GatewayConversation) async throws -> Value
    ) async throws -> Value {
        try await Dialer.run(limits: limits) { dialer in
            var dialer = dialer
            dialer.assembly = budget
            return try await GatewayConversation.converse(
                [server.endpoint],
                transport: .plain,
                dialer: dialer,
                body
            )
        }
    }

    /// Too many frames, too many bytes, and a message that is no JSON end a conversation.
    @Test func floodsAndNonsenseEndIt() async throws {
        let empty = WebSocketFrame(fin: true, opcode: .binary, data: ByteBuffer(string: "{}"))
        let cases: [(WebSocketFrame, Int, GatewayConnectionError.Code)] = [
            (empty, 20_000, .flooded), (.text(String(repeating: " ", count: 50_000) + "{}"), 100, .flooded),
            (.text("{"), 1, .notUnderstood),
        ]
        var limits = ConnectionLimits.session
        limits.byteRate = ConnectionLimits.Rate(burst: 1 << 18, perSecond: 1_000)
        for (frame, count, code) in cases {
            let frames = Array(repeating: frame, count: count)
            try await TestServer.run(Server.behaviour { _ in frames }) { [limits] server in
                try await GatewayConversation.withConversation(to: [server.endpoint], limits: limits) { gateway in
                    #expect(await connectionError { try await gateway.request("a") }?.code == code)
                }
            }
        }
    }
}
