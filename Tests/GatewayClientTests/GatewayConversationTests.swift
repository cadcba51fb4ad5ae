import DNSSD
import GatewayProtocol
import NIOCore
import NIOSSL
import NIOWebSocket
import Testing

@testable import GatewayClient

/// Conversations with a server that is there.
@Suite(.timeLimit(.minutes(1))) struct GatewayConversationTests {
    private static func answer(_ id: String, _ payload: String = "{}") -> WebSocketFrame {
        .text(#"{"type":"res","id":"\#(id)","ok":true,"payload":\#(payload)}"#)
    }

    private static func event(_ name: String) -> WebSocketFrame { .text(#"{"type":"event","event":"\#(name)"}"#) }

    /// A server that answers each method in its own way.
    private static func server(
        onPing: TestServer.PingAnswer = .pong,
        _ answers: @escaping @Sendable (GatewayRequest) -> [WebSocketFrame]
    ) -> TestServer.Behaviour {
        .webSocket(
            answer: { text in
                guard case .request(let request) = try? GatewayFrame(parsing: Array(text.utf8)) else { return [] }
                return answers(request)
            },
            onPing: onPing
        )
    }

    private func failure<Value>(_ body: () async throws -> Value) async -> GatewayConnectionError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? GatewayConnectionError
        }
    }

    /// Waits until something is so, of which nobody tells; a test has a minute.
    private func pause(while isSo: @autoclosure () -> Bool) async throws {
        while isSo() { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test(arguments: [false, true])
    func answersAndEventsComeInAnyOrder(tls: Bool) async throws {
        let behaviour = Self.server { request in
            // The first is answered after the second, with events between them.
            request.method == "second"
                ? [Self.event("a"), Self.answer("2", "2"), Self.event("b"), Self.answer("1", "1"), Self.event("c")]
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

    @Test func aLateAnswerIsNobodys() async throws {
        let behaviour = Self.server { $0.method == "b" ? [Self.answer("1"), Self.answer("2")] : [] }
        try await TestServer.run(behaviour) { server in
            try await GatewayConversation.withConversation(to: [server.endpoint]) { gateway in
                let error = await failure { try await gateway.request("a", timeout: .milliseconds(20)) }
                #expect(error?.code == .timedOut)
                let answer = try await gateway.request("b")
                #expect(answer.id == "2")
                #expect(gateway.drops == GatewayConversation.Drops(lateAnswers: 1))
            }
        }
    }

    /// OpenClaw's word when a device was removed: whoever waits hears it.
    @Test func theReasonOfTheEndReachesAll() async throws {
        let behaviour = Self.server { request in
            request.method == "last" ? [Self.event("x"), .close(4_001, "device removed")] : []
        }
        try await TestServer.run(behaviour) { server in
            try await GatewayConversation.withConversation(to: [server.endpoint]) { gateway in
                let errors = await withTaskGroup(of: GatewayConnectionError?.self) { tasks in
                    for method in ["a", "b", "last"] {
                        tasks.addTask { await failure { try await gateway.request(method) } }
                    }
                    return await tasks.reduce(into: []) { $0.append($1) }
                }
                let close = WebSocketClose(code: 4_001, reason: Array("device removed".utf8))
                #expect(errors.allSatisfy { $0?.code == .closed && $0?.close == close }, "\(errors)")
                var frames = gateway.frames.makeAsyncIterator()
                let first = try await frames.next()
                #expect(first == .event(GatewayEvent(name: "x")))
                #expect(await failure { try await frames.next() }?.close == close)
                #expect(await failure { try await gateway.request("c") }?.close == close)
            }
        }
    }

    @Test func aCancelledRequestDisturbsNoOther() async throws {
        let behaviour = Self.server { $0.method == "b" ? [Self.answer("1"), Self.answer("2")] : [] }
        try await TestServer.run(behaviour) { server in
            try await GatewayConversation.withConversation(to: [server.endpoint]) { gateway in
                let request = Task { await failure { try await gateway.request("a") } }
                try await pause(while: gateway.pendingCount == 0)
                request.cancel()
                #expect(await request.value?.code == .cancelled)
                let answer = try await gateway.request("b")
                #expect(answer.id == "2")
            }
        }
    }

    @Test func pingsStandBesideRequests() async throws {
        try await TestServer.run(Self.server { [Self.answer($0.id)] }) { server in
            try await GatewayConversation.withConversation(to: [server.endpoint]) { gateway in
                for _ in 0..<100 {
                    async let time = gateway.ping()
                    _ = try await gateway.request("a")
                    #expect(try await time > .zero)
                }
            }
        }
        try await TestServer.run(Self.server(onPing: .silence) { [Self.answer($0.id)] }) { server in
            try await GatewayConversation.withConversation(to: [server.endpoint]) { gateway in
                #expect(await failure { try await gateway.ping(timeout: .milliseconds(20)) }?.code == .timedOut)
                let answer = try await gateway.request("a")
                #expect(answer.id == "2")
            }
        }
    }

    /// More than a megabyte, of which little waits here: the rest waits with the gateway, and comes when there is room.
    @Test(arguments: [false, true])
    func nothingIsReadWhileMuchWaits(tls: Bool) async throws {
        let count = 300
        let behaviour = Self.server { request in
            request.method == "go"
                ? (0..<count).map { Self.event("\($0)" + String(repeating: " ", count: 200)) }
                    .flatMap { [$0, .text(#"{"type":"new","x":"\#(String(repeating: "x", count: 4_000))"}"#)] }
                    + [Self.answer(request.id)] : [Self.answer(request.id)]
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
                let request = Task { await failure { try await gateway.request("go", timeout: .seconds(60)) } }
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

    /// Whoever waits hears that the gateway hung up also when nobody takes the frames, and they come before the end.
    @Test func theEndIsHeardWhileMuchWaits() async throws {
        let count = 100
        let behaviour = Self.server(onPing: .hangingUp) { _ in (0..<count).map { Self.event("\($0)") } }
        var limits = ConnectionLimits.session
        limits.undeliveredBytes = 100
        try await TestServer.run(behaviour) { [limits] server in
            try await GatewayConversation.withConversation(to: [server.endpoint], limits: limits) { gateway in
                async let request = failure { try await gateway.request("a", timeout: .seconds(50)) }
                try await pause(while: gateway.waitingBytes < 100)
                #expect(await failure { try await gateway.ping(timeout: .seconds(50)) }?.code == .closed)
                #expect(await request?.code == .closed)
                var frames = gateway.frames.makeAsyncIterator()
                for number in 0..<count {
                    let frame = try await frames.next()
                    #expect(frame == .event(GatewayEvent(name: "\(number)")))
                }
                #expect(await failure { try await frames.next() }?.code == .closed)
            }
        }
    }

    @Test func aMessageOfMegabytesIsWhole() async throws {
        let text = String(repeating: "y", count: 3 << 19)
        try await TestServer.run(Self.server { [Self.answer($0.id, "\"\(text)\"")] }) { server in
            try await GatewayConversation.withConversation(to: [server.endpoint]) { gateway in
                let answer = try await gateway.request("a")
                #expect(try answer.outcome.get()?.string?.utf8.count == 3 << 19)
            }
        }
    }

    /// All conversations share the memory for what is not whole yet, and give it back.
    @Test func messagesInAssemblyAreBoundedOverAll() async throws {
        let budget = AssemblyBudget(bytes: 3 << 17)
        let text = String(repeating: "y", count: 2 << 17)
        let behaviour = Self.server { request in
            [Self.answer(request.id, "\"\(text)\(request.method == "b" ? text : "")\"")]
        }
        try await TestServer.run(behaviour) { server in
            let group = try GatewayLoops.group()
            let result = await ConnectionScope.run(on: group.any()) { scope in
                var dialer = Dialer(group: group, limits: .session, scope: scope, log: StepLog())
                dialer.assembly = budget
                return await GatewayConversation.converse(
                    [server.endpoint],
                    transport: .plain,
                    resource: "/",
                    dialer: dialer
                ) { gateway in
                    for _ in 0..<3 { _ = try await gateway.request("a") }
                    #expect(budget.available == 3 << 17)
                    return try await gateway.request("b").id
                }
            }
            #expect(await failure { try result.get() }?.code == .tooLong)
            #expect(budget.available == 3 << 17)
        }
    }

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
            try await TestServer.run(Self.server { _ in frames }) { [limits] server in
                try await GatewayConversation.withConversation(to: [server.endpoint], limits: limits) { gateway in
                    #expect(await failure { try await gateway.request("a") }?.code == code)
                }
            }
        }
    }

    /// Node writes half of an emoji where a text was cut; what is not read costs a message, and no session.
    @Test func whatIsOddIsNoNonsense() async throws {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let behaviour = Self.server { request in
            [
                .text(#"{"type":"event","event":"a","event":"b"}"#),
                .text(#"{"type":"event","event":"a","payload":\#(deep)}"#),
                .text(#"{"type":"event","event":"cut \ud83d"}"#),
                Self.answer(request.id, #""cut \ud83d""#),
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

    @Test func oneReaderTakesTheFrames() async throws {
        try await TestServer.run(Self.server { _ in [] }) { server in
            try await GatewayConversation.withConversation(to: [server.endpoint]) { gateway in
                let first = Task { try await gateway.nextFrame() }
                try await pause(while: !gateway.isAwaited)
                // Nothing wakes the first meanwhile: each time that it woke, another could take its place.
                for _ in 1...1_000 {
                    #expect(await failure { try await gateway.nextFrame() }?.code == .busy)
                }
                first.cancel()
                let cancelled = try await first.value
                gateway.close()
                let afterwards = try await gateway.nextFrame()
                #expect(cancelled == nil && afterwards == nil)
                #expect(await failure { try await gateway.request("a") }?.code == .closed)
            }
        }
    }

    @Test func aCancelledTaskLetsGo() async throws {
        try await TestServer.run(Self.server { _ in [] }) { server in
            let endpoint = server.endpoint
            let (started, start) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                try await GatewayConversation.withConversation(to: [endpoint]) { gateway in
                    start.yield()
                    return await failure { try await gateway.request("a", timeout: .seconds(60)) }
                }
            }
            var iterator = started.makeAsyncIterator()
            await iterator.next()
            task.cancel()
            let error = try await task.value
            #expect(error?.code == .cancelled)
        }
    }

    /// A cancelled task stops reading before its socket is closed, and then it was not the gateway that hung up.
    @Test func ourOwnCancellationIsNotTheGatewaysDoing() async throws {
        try await TestServer.run(Self.server { _ in [] }) { server in
            let endpoint = server.endpoint
            let group = try GatewayLoops.group()
            let error = await ConnectionScope.run(on: group.any()) { scope -> GatewayConnectionError? in
                let dialer = Dialer(group: group, limits: .session, scope: scope, log: StepLog())
                let (started, start) = AsyncStream.makeStream(of: Void.self)
                // The scope hears nothing of its end.
                let task = Task {
                    await GatewayConversation.converse(
                        [endpoint],
                        transport: .plain,
                        resource: "/",
                        dialer: dialer
                    ) { gateway -> GatewayConnectionError? in
                        let request = Task { await failure { try await gateway.request("a", timeout: .seconds(60)) } }
                        start.yield()
                        return await request.value
                    }
                }
                var iterator = started.makeAsyncIterator()
                await iterator.next()
                task.cancel()
                return try? await task.value.get()
            }
            #expect(error?.code == .cancelled)
        }
    }

    // MARK: Certificates

    /// Another certificate than the pinned one is named, and hears not a byte of ours.
    @Test func anotherLeafGetsNothing() async throws {
        let pin = try #require(LeafFingerprint(String(repeating: "ab", count: 32)))
        try await TestServer.run(Self.server { _ in [] }, tls: true) { server in
            let error = await failure {
                let transport = GatewayTransport.tls(pin: pin)
                try await GatewayConversation.withConversation(to: [server.endpoint], transport: transport) { _ in }
            }
            #expect(error?.code == .wrongLeaf)
            #expect(error?.leaf == LeafFingerprint(TestCertificate.sha256))
            #expect(server.received.bytes.isEmpty)
        }
    }

    /// A host name is proved by a certificate for it that somebody trusted vouches for, and by nothing less.
    @Test func aHostIsProvedByItsCertificate() async throws {
        let own = try TestCertificate.named
        let cases: [(host: String, roots: [NIOSSLCertificate]?, code: GatewayConnectionError.Code?)] = [
            (TestCertificate.host, [own], nil), (TestCertificate.host, nil, .untrusted),
            ("other.test", [own], .untrusted), ("127.0.0.1", [own], .untrusted),
        ]
        for (host, roots, code) in cases {
            try await TestServer.run(Self.server { [Self.answer($0.id)] }, tls: true, isNamed: true) { server in
                let group = try GatewayLoops.group()
                let result = await ConnectionScope.run(on: group.any()) { scope in
                    var dialer = Dialer(group: group, limits: .session, scope: scope, log: StepLog())
                    dialer.trustRoots = roots
                    return await GatewayConversation.converse(
                        [server.endpoint],
                        transport: .certified(host: host),
                        resource: "/",
                        dialer: dialer
                    ) { gateway in
                        _ = try await gateway.request("a")
                        return gateway.path.leaf
                    }
                }
                guard let code else {
                    #expect(try result.get() != nil)
                    #expect(server.received.text.contains("Host: \(host):\(server.endpoint.port)\r\n"))
                    return
                }
                #expect(await failure { try result.get() }?.code == code, "\(host): \(result)")
                #expect(server.received.bytes.isEmpty)
            }
        }
    }
}
