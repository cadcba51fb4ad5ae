import GatewayProtocol
import NIOCore
import Synchronization
import Testing

@testable import GatewayClient

/// Conversations in lines, as Clawdbot bridges have them: sessions, signs of life, and lines that break the rules.
@Suite(.timeLimit(.minutes(1))) struct BridgeConversationTests {
    private static let hello = #"{"type":"hello-ok","serverName":"studio"}"#

    private func request(
        gate: @escaping @Sendable (GatewayProbePath, SessionCredential.Kind) throws -> Void = { _, _ in }
    ) -> SessionRequest {
        let credential = SessionCredential.deviceToken(Secret("tok"))
        return SessionRequest(dialect: .bridge, device: .kitchen, credential: credential, time: 5, gate: gate)
    }

    private func open<Value: Sendable>(
        _ server: TestServer,
        _ limits: ConnectionLimits = .session,
        _ body: (GatewayConversation) async throws -> Value
    ) async throws -> Value {
        try await GatewayConversation.withSession(
            request(),
            to: [server.endpoint],
            transport: .plain,
            limits: limits
        ) { conversation, _ in try await body(conversation) }
    }

    /// The token goes out in the greeting, and only once the gate has agreed.
    @Test func theGateComesBeforeTheToken() async throws {
        struct Refused: Error {}
        try await TestServer.run(.lines { _ in [Self.hello] }) { server in
            let refused = request { path, kind in
                #expect(kind == .deviceToken && path.leaf == nil)
                throw Refused()
            }
            await #expect(throws: Refused.self) {
                try await GatewayConversation.withSession(refused, to: [server.endpoint], transport: .plain) { _, _ in }
            }
            #expect(server.received.bytes.isEmpty)
            try await open(server) { _ in }
            let line = try #require(server.received.text.split(separator: "\n").first)
            let device = BridgeDevice(
                nodeID: request().device.id,
                displayName: "Kitchen",
                platform: "linux",
                version: "1",
                token: Secret("tok")
            )
            #expect(try BridgeMessage(parsing: Array(line.utf8)) == .hello(device))
        }
    }

    /// Each of the bridge's errors is a refusal with its own reason, in the bridge's own words.
    @Test(arguments: [
        ("NOT_PAIRED", "pairing required", SessionRefusal.Reason.revoked), ("UNAUTHORIZED", "invalid token", .revoked),
        ("UNAUTHORIZED", "pairing rejected", .pairingRejected), ("UNAUTHORIZED", "pairing expired", .pairingTimedOut),
        ("UNAUTHORIZED", "not today", .refused), ("INVALID_REQUEST", "nodeId required", .malformedRequest),
        ("FORBIDDEN", "no", .refused),
    ])
    func errorsAreRefusals(code: String, message: String, reason: SessionRefusal.Reason) async throws {
        let error = #"{"type":"error","code":"\#(code)","message":"\#(message)"}"#
        try await TestServer.run(.lines { _ in [error] }) { server in
            let refusal = await #expect(throws: SessionRefusal.self) { try await open(server) { _ in } }
            #expect(refusal?.reason == reason && refusal?.gatewayMessage == message && refusal?.dialect == .bridge)
            #expect(refusal?.endsCredential == (reason == .revoked))
        }
    }

    /// Pings are answered with their identifiers, and ours get their answers; before its greeting, a bridge may refuse
    /// them, which is a sign of life too.
    @Test func pingsGoBothWays() async throws {
        let pongs = Mutex<[String]>([])
        let behaviour = TestServer.Behaviour.lines { line in
            switch try? BridgeMessage(parsing: Array(line.utf8)) {
            case .hello: return [Self.hello, #"{"type":"ping","id":"p-7"}"#]
            case .ping(let id) where id == "1": return [#"{"type":"pong","id":"1"}"#]
            case .ping: return [#"{"type":"error","code":"UNAUTHORIZED","message":"not authenticated"}"#]
            case .pong(let id):
                pongs.withLock { $0.append(id) }
                return [#"{"type":"event","event":"seen"}"#]
            default: return []
            }
        }
        try await TestServer.run(behaviour) { server in
            try await open(server) { conversation in
                _ = try await conversation.ping()
                _ = try await conversation.ping()
                var frames = conversation.frames.makeAsyncIterator()
                #expect(try await frames.next()?.event?.name == "event")
            }
        }
        #expect(pongs.withLock { $0 } == ["p-7"])
    }

    /// A bridge that answers no ping is found out.
    @Test func aDeadLinkIsNoticed() async throws {
        try await TestServer.run(.lines { $0.contains("hello") ? [Self.hello] : [] }) { server in
            try await open(server) { conversation in
                let error = await connectionError { try await conversation.ping(timeout: .milliseconds(50)) }
                #expect(error?.code == .timedOut)
            }
        }
    }

    /// Lines that break the limits end the conversation, whatever follows them.
    @Test(arguments: [
        (String(repeating: "x", count: 4_097), GatewayConnectionError.Code.tooLong), ("", .notUnderstood),
        ("GET / HTTP/1.1", .notUnderstood), (#"{"type":"hello-ok""#, .notUnderstood),
    ])
    func hostileLinesEndIt(line: String, code: GatewayConnectionError.Code) async throws {
        var limits = ConnectionLimits.session
        limits.frameBytes = 4_096
        try await TestServer.run(.lines { _ in [line, Self.hello] }) { server in
            let error = await connectionError { try await open(server, limits) { _ in } }
            #expect(error?.code == code, "\(error?.message ?? "")")
        }
    }

    /// A line that is nested too deep or is no known message is skipped, but not without end.
    @Test(arguments: [3, 65])
    func strangeLinesAreSkipped(count: Int) async throws {
        let deep =
            #"{"type":"event","event":"x","payload":"# + String(repeating: "[", count: 200)
            + String(repeating: "]", count: 200) + "}"
        let lines = [deep, #"{"type":7}"#] + Array(repeating: #"{"type":"event","event":"x"}"#, count: count)
        try await TestServer.run(.lines { _ in lines + [Self.hello] }) { server in
            let error = await connectionError { try await open(server) { _ in } }
            #expect(error?.code == (count > 64 ? .notUnderstood : nil))
        }
    }

    /// Short lines without end are a flood.
    @Test func aFloodOfLinesEndsIt() async throws {
        let lines = Array(repeating: #"{"type":"pong","id":"1"}"#, count: 10_000)
        try await TestServer.run(.lines { _ in lines }) { server in
            let error = await connectionError { try await open(server) { _ in } }
            #expect(error?.code == .flooded)
        }
    }

    /// A line may come in any number of parts.
    @Test func aLineMayComeInParts() async throws {
        let line = Array((Self.hello + "\n").utf8)
        try await TestServer.run(.drip(line, every: .milliseconds(1))) { server in
            try await open(server) { _ in }
        }
    }
}

extension GatewayFrame {
    fileprivate var event: GatewayEvent? {
        guard case .event(let event) = self else { return nil }
        return event
    }
}
