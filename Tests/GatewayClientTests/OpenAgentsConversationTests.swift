import GatewayProtocol
import NIOCore
import NIOWebSocket
import Synchronization
import Testing

@testable import GatewayClient

/// Sessions in the dialect of OpenAgents: a greeting with the gateway's one token, and answers that break the rules.
@Suite(.timeLimit(.minutes(1))) struct OpenAgentsConversationTests {
    private static let ack = #"{"type":"HelloAck","token":"tok"}"#

    private func request(
        timeout: Duration = .seconds(10),
        gate: @escaping @Sendable (GatewayProbePath, SessionCredential.Kind) throws -> Void = { _, _ in }
    ) -> SessionRequest {
        let credential = SessionCredential.deviceToken(Secret("tok"))
        return SessionRequest(
            dialect: .openAgents,
            device: .kitchen,
            credential: credential,
            time: 5,
            timeout: timeout,
            gate: gate
        )
    }

    /// The messages that a gateway has received.
    private final class Said: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }
        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }

    /// Opens a session with a gateway that answers each message with frames, or those after the first one with others.
    private func open<Value: Sendable>(
        _ frames: [WebSocketFrame],
        later: [WebSocketFrame]? = nil,
        to request: SessionRequest? = nil,
        greeting: [String] = [],
        limits: ConnectionLimits = .session,
        onPing: TestServer.PingAnswer = .pong,
        noting said: Said = Said(),
        _ body: (GatewayConversation) async throws -> Value
    ) async throws -> Value {
        let answer: @Sendable (String) -> [WebSocketFrame] = { text in
            said.add(text)
            return said.all.count == 1 ? frames : later ?? frames
        }
        return try await TestServer.run(.webSocket(greeting: greeting, answer: answer, onPing: onPing)) { server in
            try await GatewayConversation.withSession(
                request ?? self.request(),
                to: [server.endpoint],
                transport: .plain,
                limits: limits
            ) { conversation, _ in try await body(conversation) }
        }
    }

    /// The token goes out in the greeting, once, and only if the gate has agreed.
    @Test func theGateComesBeforeTheToken() async throws {
        struct Refused: Error {}
        let said = Said()
        let refused = request { path, kind in
            #expect(kind == .deviceToken && path.leaf == nil)
            throw Refused()
        }
        await #expect(throws: Refused.self) { try await open([.text(Self.ack)], to: refused, noting: said) { _ in } }
        #expect(said.all.isEmpty)
        try await open([.text(Self.ack)], noting: said) { _ in }
        #expect(said.all == [#"{"token":"tok","type":"Hello"}"#])
    }

    /// The answer may be text or binary, with a token or without, and come after a few other messages, but not many.
    @Test(arguments: [0, 16, 17], [true, false])
    func theAnswerIsUnderstood(others: Int, isBinary: Bool) async throws {
        let ack = isBinary ? Self.ack : #"{"type":"HelloAck"}"#
        let frame = WebSocketFrame(fin: true, opcode: isBinary ? .binary : .text, data: ByteBuffer(string: ack))
        let answer = Array(repeating: WebSocketFrame.text(#"{"type":"Status","data":{}}"#), count: others) + [frame]
        let error = await connectionError { try await open(answer) { _ in } }
        #expect(error?.code == (others > 16 ? .notUnderstood : nil), "\(error?.message ?? "")")
    }

    /// Messages after the greeting are events, named by their type, with the whole envelope as their payload.
    @Test func envelopesAreEvents() async throws {
        let frames: [WebSocketFrame] = [.text(Self.ack), .text(#"{"type":"Note","data":{"text":"hi"}}"#)]
        let event = try await open(frames) { conversation in
            var events = conversation.frames.makeAsyncIterator()
            guard case .event(let event)? = try await events.next() else { throw CancellationError() }
            return event
        }
        #expect(event.name == "Note" && event.payload?["data"]?["text"]?.string == "hi")
    }

    /// The end of the connection in place of an answer is a refusal, whatever its code, and never ends the pairing: it
    /// proves nothing. It is tried again after a minute.
    @Test(arguments: [1_000, 1_008, 4_001, 4_403] as [UInt16])
    func hangingUpIsARefusal(code: UInt16) async throws {
        let words = "device token mismatch"
        let refusal = await #expect(throws: SessionRefusal.self) {
            try await open([.text(#"{"type":"Status"}"#), .close(code, words)]) { _ in }
        }
        #expect(refusal?.reason == .hungUp && refusal?.dialect == .openAgents && refusal?.endsCredential == false)
        #expect(refusal?.rule == .after(.seconds(60)) && refusal?.gatewayMessage == words)
        #expect(refusal?.description.contains("hung up") == true)
    }

    /// A gateway that says why it ends the connection has said nothing of the token, and is soon asked again.
    @Test(
        arguments: [
            (1_001, SessionRefusal.Reason.closed), (1_011, .failed), (1_012, .restarting), (1_013, .starting),
        ] as [(UInt16, SessionRefusal.Reason)]
    )
    func aRestartIsNoRefusalOfTheToken(code: UInt16, reason: SessionRefusal.Reason) async throws {
        let refusal = await #expect(throws: SessionRefusal.self) { try await open([.close(code)]) { _ in } }
        #expect(refusal?.reason == reason && refusal?.endsCredential == false)
    }

    /// In a session, no close ends the pairing, and none is a refusal of the token.
    @Test(arguments: [1_000, 1_008, 4_001] as [UInt16]) func noCloseEndsThePairing(code: UInt16) async throws {
        let error = await connectionError {
            try await open([.text(Self.ack)], later: [.close(code, "device token mismatch")]) { conversation in
                try conversation.say(.object(["type": "Status"]))
                for try await _ in conversation.frames {}
            }
        }
        let refusal = error?.refusal(dialect: .openAgents, credential: .deviceToken)
        #expect(refusal?.reason == .closed && refusal?.endsCredential == false && refusal?.rule == .backOff)
    }

    /// Answers that break the rules end the attempt, and are no refusal of the token.
    @Test(arguments: [
        (#"{"type":"HelloAck","token":7}"#, GatewayConnectionError.Code.notUnderstood),
        (#"{"type":"HelloAck","token":"\#(String(repeating: "x", count: 4_097))"}"#, .notUnderstood),
        (String(repeating: "x", count: 8_193), .tooLong), ("HelloAck", .notUnderstood), ("", .notUnderstood),
        // Those of other dialects.
        (#"{"type":"res","id":"1","ok":true,"payload":{"bots":[]}}"#, .timedOut),
        (#"{"type":"hello-ok","serverName":"studio"}"#, .timedOut), (#"{"token":"tok"}"#, .timedOut),
        (#"{"type":"auth_result","success":true}"#, .timedOut),
    ])
    func strangeAnswersEndIt(answer: String, code: GatewayConnectionError.Code) async throws {
        var limits = ConnectionLimits.session
        limits.frameBytes = 8_192
        let request = request(timeout: code == .timedOut ? .milliseconds(100) : .seconds(10))
        let error = await connectionError {
            try await open([.text(answer)], to: request, limits: limits) { _ in }
        }
        #expect(error?.code == code, "\(error?.message ?? "")")
    }

    /// Messages without end in place of an answer are given up.
    @Test func aFloodEndsIt() async throws {
        let frames = Array(repeating: WebSocketFrame.text(#"{"type":"x"}"#), count: 10_000)
        let error = await connectionError { try await open(frames) { _ in } }
        #expect(error?.code == .notUnderstood || error?.code == .flooded, "\(error?.message ?? "")")
    }

    /// An answer that comes before the greeting was read, or twice, proves nothing: at pairing, a gateway that then hangs
    /// up has refused the token, and one that stays has taken it.
    @Test(arguments: [true, false]) func anAnswerThatComesFirstProvesNothing(isRight: Bool) async throws {
        let result: SessionRefusal.Reason?
        do {
            result = try await open(isRight ? [.text(Self.ack)] : [.close(1_008)], greeting: [Self.ack, Self.ack]) {
                _ in nil
            }
        } catch let refusal as SessionRefusal {
            result = refusal.reason
        }
        #expect(result == (isRight ? nil : .hungUp))
    }

    /// A gateway that does not answer pings has not hung up.
    @Test func aSilentGatewayHasTakenTheToken() async throws {
        try await open([.text(Self.ack)], to: request(timeout: .seconds(1)), onPing: .silence) { _ in }
    }

    /// The question who is there has no token, and is answered by hanging up as well.
    @Test func itIsRecognizedWithoutAToken() async throws {
        for (frame, isIt) in [
            (WebSocketFrame.text(Self.ack), true), (.close(1_008), true), (.text("<html>"), false),
        ] {
            let said = Said()
            let behaviour = TestServer.Behaviour.webSocket(answer: { text in
                said.add(text)
                return [frame]
            })
            try await TestServer.run(behaviour) { server in
                try await GatewayConversation.withConversation(to: [server.endpoint], speaking: .openAgents) {
                    #expect(await $0.isOpenAgents() == isIt)
                }
            }
            #expect(said.all == [#"{"token":"","type":"Hello"}"#])
        }
    }
}
