import DNSSD
import GatewayProtocol
import NIOWebSocket
import Testing

@testable import GatewayClient

/// The end of a conversation, and how requests, pings and the reader of frames learn about it.
@Suite(.timeLimit(.minutes(1))) struct ConversationEndTests {
    private typealias Server = ConversationServer

    /// The reason that the gateway gives when it closes the connection reaches every waiting request, the reader of
    /// frames, and later requests. OpenClaw sends this one when a device was removed.
    @Test func theReasonOfTheEndReachesAll() async throws {
        let behaviour = Server.behaviour { request in
            request.method == "last" ? [Server.event("x"), .close(4_001, "device removed")] : []
        }
        try await TestServer.run(behaviour) { server in
            try await GatewayConversation.withConversation(to: [server.endpoint]) { gateway in
                let errors = await withTaskGroup(of: GatewayConnectionError?.self) { tasks in
                    for method in ["a", "b", "last"] {
                        tasks.addTask { await connectionError { try await gateway.request(method) } }
                    }
                    return await tasks.reduce(into: []) { $0.append($1) }
                }
                let close = WebSocketClose(code: 4_001, reason: Array("device removed".utf8))
                #expect(errors.allSatisfy { $0?.code == .closed && $0?.close == close }, "\(errors)")
                var frames = gateway.frames.makeAsyncIterator()
                let first = try await frames.next()
                #expect(first == .event(GatewayEvent(name: "x")))
                #expect(await connectionError { try await frames.next() }?.close == close)
                #expect(await connectionError { try await gateway.request("c") }?.close == close)
            }
        }
    }

    /// A waiting request and a ping learn that the gateway hung up even if nobody takes the frames. A later reader gets
    /// all the frames before the end.
    @Test func theEndIsHeardWhileMuchWaits() async throws {
        let count = 100
        let behaviour = Server.behaviour(onPing: .hangingUp) { _ in (0..<count).map { Server.event("\($0)") } }
        var limits = ConnectionLimits.session
        limits.undeliveredBytes = 100
        try await TestServer.run(behaviour) { [limits] server in
            try await GatewayConversation.withConversation(to: [server.endpoint], limits: limits) { gateway in
                async let request = connectionError { try await gateway.request("a", timeout: .seconds(50)) }
                try await pause(while: gateway.waitingBytes < 100)
                #expect(await connectionError { try await gateway.ping(timeout: .seconds(50)) }?.code == .closed)
                #expect(await request?.code == .closed)
                var frames = gateway.frames.makeAsyncIterator()
                for number in 0..<count {
                    let frame = try await frames.next()
                    #expect(frame == .event(GatewayEvent(name: "\(number)")))
                }
                #expect(await connectionError { try await frames.next() }?.code == .closed)
            }
        }
    }

    /// A cancelled task does not wait for the answer to its request.
    @Test func aCancelledTaskLetsGo() async throws {
        try await TestServer.run(Server.behaviour { _ in [] }) { server in
            let endpoint = server.endpoint
            let (started, start) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                try await GatewayConversation.withConversation(to: [endpoint]) { gateway in
                    start.yield()
                    return await connectionError { try await gateway.request("a", timeout: .seconds(60)) }
                }
            }
            var iterator = started.makeAsyncIterator()
            await iterator.next()
            task.cancel()
            let error = try await task.value
            #expect(error?.code == .cancelled)
        }
    }

    /// A cancellation is reported as `cancelled`, and not as a gateway that hung up, although reading stops before the
    /// socket is closed.
    @Test func ourOwnCancellationIsNotTheGatewaysDoing() async throws {
        try await TestServer.run(Server.behaviour { _ in [] }) { server in
            let endpoint = server.endpoint
            let error = try await Dialer.run(limits: .session) { dialer -> GatewayConnectionError? in
                let (started, start) = AsyncStream.makeStream(of: Void.self)
                // The scope of the connection is not part of the cancelled task, so that it does not learn about the
                // cancellation.
                let task = Task {
                    try await GatewayConversation.converse(
                        [endpoint],
                        transport: .plain,
                        dialer: dialer
                    ) { gateway -> GatewayConnectionError? in
                        let request = Task {
                            await connectionError { try await gateway.request("a", timeout: .seconds(60)) }
                        }
                        start.yield()
                        return await request.value
                    }
                }
                var iterator = started.makeAsyncIterator()
                await iterator.next()
                task.cancel()
                return try await task.value
            }
            #expect(error?.code == .cancelled)
        }
    }
}
