import DNSSD
import GatewayProtocol
import NIOCore
import NIOWebSocket
import Testing

@testable import GatewayClient

/// Requests, answers, pings and frames over a connection to a test server.
@Suite(.timeLimit(.minutes(1))) struct GatewayConversationTests {
    private typealias Server = ConversationServer

    @Test(arguments: [false, true])
    func answersAndEventsComeInAnyOrder(tls: Bool) async throws {
        let behaviour = Server.behaviour { request in
            // The first request is answered after the second one, with events between the answers.
            request.method == "second"
                ? [
                    Server.event("a"), Server.answer("2", "2"), Server.event("b"), Server.answer("1", "1"),
                    Server.event("c"),
                ]
                : []
        }
        try await TestServer.run(behaviour, tls: tls) { server in
            let transport = tls ? GatewayTransport.tls(pin: LeafFingerprint(TestCertificate.sha256)) : .plain
            try await GatewayConversation.withConversation(to: [server.endpoint], transport: transport) { gateway in
                async let first = gateway.request("first")
                try await pause(while: gateway.pendingCount == 0)
                let second = try await gateway.request("second", params: .object(["a": 1]))
                #expect(try second.outcome.get()?.int == 2)
                #expect(try await first.outcome.get()?.int == 1)
                var names: [String] = []
                for try await case .event(let event) in gateway.frames {
                    names.append(event.name)
                    if names.count == 3 { break }
                }
                #expect(names == ["a", "b", "c"])
            }
        }
    }

    /// An answer that arrives after the time limit of its request is counted and dropped, and answers no other request.
    @Test func aLateAnswerIsNobodys() async throws {
        let behaviour = Server.behaviour { $0.method == "b" ? [Server.answer("1"), Server.answer("2")] : [] }
        try await TestServer.run(behaviour) { server in
            try await GatewayConversation.withConversation(to: [server.endpoint]) { gateway in
                let error = await connectionError { try await gateway.request("a", timeout: .milliseconds(20)) }
                #expect(error?.code == .timedOut)
                let answer = try await gateway.request("b")
                #expect(answer.id == "2")
                #expect(gateway.drops == GatewayConversation.Drops(lateAnswers: 1))
            }
        }
    }

    @Test func aCancelledRequestDisturbsNoOther() async throws {
        let behaviour = Server.behaviour { $0.method == "b" ? [Server.answer("1"), Server.answer("2")] : [] }
        try await TestServer.run(behaviour) { server in
            try await GatewayConversation.withConversation(to: [server.endpoint]) { gateway in
                let request = Task { await connectionError { try await gateway.request("a") } }
                try await pause(while: gateway.pendingCount == 0)
                request.cancel()
                #expect(await request.value?.code == .cancelled)
                let answer = try await gateway.request("b")
                #expect(answer.id == "2")
            }
        }
    }

    /// Pings and requests are independent of each other: neither delays the other, and a missing pong does not affect
    /// requests.
    @Test func pingsStandBesideRequests() async throws {
        try await TestServer.run(Server.behaviour { [Server.answer($0.id)] }) { server in
            try await GatewayConversation.withConversation(to: [server.endpoint]) { gateway in
                for _ in 0..<100 {
                    async let time = gateway.ping()
                    _ = try await gateway.request("a")
                    #expect(try await time > .zero)
                }
            }
        }
        try await TestServer.run(Server.behaviour(onPing: .silence) { [Server.answer($0.id)] }) { server in
            try await GatewayConversation.withConversation(to: [server.endpoint]) { gateway in
                #expect(await connectionError { try await gateway.ping(timeout: .milliseconds(20)) }?.code == .timedOut)
                let answer = try await gateway.request("a")
                #expect(answer.id == "2")
            }
        }
    }

    /// Messages that are unusual or not understood are counted and dropped, and do not end the session. Node.js writes
    /// half of a surrogate pair where a text was cut inside an emoji.
    @Test func oddMessagesDoNotEndTheSession() async throws {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let behaviour = Server.behaviour { request in
            [
                .text(#"{"type":"event","event":"a","event":"b"}"#),
                .text(#"{"type":"event","event":"a","payload":\#(deep)}"#),
                .text(#"{"type":"event","event":"cut \ud83d"}"#),
                Server.answer(request.id, #""cut \ud83d""#),
            ]
        }
        try await TestServer.run(behaviour) { server in
            try await GatewayConversation.withConversation(to: [server.endpoint]) { gateway in
                let answer = try await gateway.request("a")
                #expect(try answer.outcome.get()?.string == "cut \u{FFFD}")
                #expect(gateway.drops == GatewayConversation.Drops(unknownMessages: 2))
                let frame = try await gateway.nextFrame()
                #expect(frame == .event(GatewayEvent(name: "cut \u{FFFD}")))
            }
        }
    }

    /// Only one task at a time can wait for frames; another one gets the error `busy`.
    @Test func oneReaderTakesTheFrames() async throws {
        try await TestServer.run(Server.behaviour { _ in [] }) { server in
            try await GatewayConversation.withConversation(to: [server.endpoint]) { gateway in
                let first = Task { try await gateway.nextFrame() }
                try await pause(while: !gateway.isAwaited)
                // Nothing wakes the first reader meanwhile: if an attempt of another one did, that one could take its
                // place.
                for _ in 1...1_000 {
                    #expect(await connectionError { try await gateway.nextFrame() }?.code == .busy)
                }
                first.cancel()
                let cancelled = try await first.value
                gateway.close()
                let afterwards = try await gateway.nextFrame()
                #expect(cancelled == nil && afterwards == nil)
                #expect(await connectionError { try await gateway.request("a") }?.code == .closed)
            }
        }
    }
}
