import DNSSD
import GatewayProtocol
import NIOWebSocket
import Synchronization
import Testing

@testable import GatewayClient

/// Authentication with test servers over real connections.
@Suite(.timeLimit(.minutes(1))) struct SessionTests {
    private static let challenge =
        #"{"type":"event","event":"connect.challenge","payload":{"nonce":"n-1","ts":1737264000000}}"#

    private func request(
        _ dialect: GatewayDialect,
        _ credential: SessionCredential,
        gate: @escaping @Sendable (GatewayProbePath, SessionCredential.Kind) throws -> Void = { _, _ in }
    ) -> SessionRequest {
        SessionRequest(dialect: dialect, device: .kitchen, credential: credential, time: 5, gate: gate)
    }

    private func open(_ request: SessionRequest, _ server: TestServer) async throws -> SessionGrant {
        try await GatewayConversation.withSession(request, to: [server.endpoint], transport: .plain) { $1 }
    }

    private static func hello(_ id: String) -> WebSocketFrame {
        .text(#"{"type":"res","id":"\#(id)","ok":true,"payload":{"type":"hello-ok","auth":{"deviceToken":"new"}}}"#)
    }

    private static func refusal(_ id: String, _ code: String) -> [WebSocketFrame] {
        let error = #"{"code":"INVALID_REQUEST","message":"x","details":{"code":"\#(code)"}}"#
        return [.text(#"{"type":"res","id":"\#(id)","ok":false,"error":\#(error)}"#), .close(1_008, "x")]
    }

    /// Returns a server that sends a greeting, and answers each request.
    private static func server(
        greeting: [String] = [challenge],
        _ answer: @escaping @Sendable (GatewayRequest) -> [WebSocketFrame]
    ) -> TestServer.Behaviour {
        .webSocket(
            greeting: greeting,
            answer: { text in
                guard case .request(let request) = try? GatewayFrame(parsing: Array(text.utf8)) else { return [] }
                return answer(request)
            }
        )
    }

    /// The challenge is signed with the nonce and the time of the gateway, and other events before it are skipped.
    @Test func theChallengeIsSigned() async throws {
        let seen = Mutex<JSONValue?>(nil)
        let other = #"{"type":"event","event":"health"}"#
        let behaviour = Self.server(greeting: [other, Self.challenge]) { request in
            seen.withLock { $0 = request.params }
            return [Self.hello(request.id)]
        }
        try await TestServer.run(behaviour) { server in
            let request = request(.openClaw, .deviceToken(Secret("tok")))
            let grant = try await open(request, server)
            #expect(grant.hello.deviceToken == Secret("new"))
            #expect(grant.path.endpoint == server.endpoint)
        }
        let params = seen.withLock { $0 }
        #expect(params?["device"]?["nonce"] == "n-1")
        #expect(params?["device"]?["signedAt"]?.int == 1_737_264_000_000, "the gateway's clock")
        #expect(params?["device"]?["signature"] == "djI", "version 2 of the signature")
        #expect(params?["auth"]?["token"] == "tok")
        #expect(params?["device"]?["id"]?.string?.utf8.count == 64)
    }

    /// A secret is not sent if the gate refuses it; without a secret, the gate is not asked.
    @Test(arguments: [GatewayDialect.openClaw, .optaplus])
    func theGateComesBeforeTheSecret(dialect: GatewayDialect) async throws {
        struct Refused: Error {}
        let received = Mutex<[GatewayRequest]>([])
        let behaviour = Self.server(greeting: dialect == .openClaw ? [Self.challenge] : []) { request in
            received.withLock { $0.append(request) }
            return [Self.hello(request.id)]
        }
        try await TestServer.run(behaviour) { server in
            let request = request(dialect, .deviceToken(Secret("tok"))) { path, kind in
                #expect(kind == .deviceToken)
                #expect(path.leaf == nil)
                throw Refused()
            }
            await #expect(throws: Refused.self) {
                try await open(request, server)
            }
            #expect(received.withLock { $0 }.isEmpty)
            // Without a secret there is nothing to decide.
            if dialect == .openClaw {
                var request = request
                request.credential = .none
                _ = try await open(request, server)
            }
        }
    }

    /// An older gateway that refuses the third version of the signature, as those of January 2026 do, is sent the
    /// second version. The gate decides before each attempt.
    @Test func anOlderGatewayGetsTheOlderSignature() async throws {
        let signatures = Mutex<[String]>([])
        let gates = Mutex(0)
        let behaviour = Self.server { request in
            let signature = request.params?["device"]?["signature"]?.string ?? ""
            signatures.withLock { $0.append(signature) }
            return signature == "djI"
                ? [Self.hello(request.id)] : Self.refusal(request.id, "DEVICE_AUTH_SIGNATURE_INVALID")
        }
        try await TestServer.run(behaviour) { server in
            var request = request(.openClaw, .deviceToken(Secret("tok"))) { _, _ in gates.withLock { $0 += 1 } }
            request.signature = .v3
            _ = try await open(request, server)
        }
        #expect(signatures.withLock { $0 } == ["djM", "djI"])
        #expect(gates.withLock { $0 } == 2, "the gate must be asked before each attempt")
    }

    /// A refused request is not repeated if there is no other form of it.
    @Test func whatIsRefusedIsNotTriedAgain() async throws {
        let count = Mutex(0)
        let behaviour = Self.server { request in
            count.withLock { $0 += 1 }
            return Self.refusal(request.id, "DEVICE_AUTH_SIGNATURE_INVALID")
        }
        try await TestServer.run(behaviour) { server in
            let request = request(.openClaw, .deviceToken(Secret("tok")))
            let error = await #expect(throws: SessionRefusal.self) {
                try await open(request, server)
            }
            #expect(error?.reason == .signatureInvalid)
        }
        #expect(count.withLock { $0 } == 1)
    }

    /// A close frame in place of an answer is a refusal as well, with its reason.
    @Test func aCloseIsARefusal() async throws {
        let behaviour = Self.server { _ in [.close(4_001, "gateway auth changed")] }
        try await TestServer.run(behaviour) { server in
            let request = request(.openClaw, .sharedToken(Secret("tok")))
            let error = await #expect(throws: SessionRefusal.self) {
                try await open(request, server)
            }
            #expect(error?.reason == .secretChanged)
            #expect(error?.rule == .afterNewCredential)
        }
    }

    /// Waiting for the challenge is limited in time.
    @Test func aChallengeIsNotWaitedForForEver() async throws {
        try await TestServer.run(Self.server(greeting: []) { _ in [] }) { server in
            var request = request(.openClaw, .deviceToken(Secret("tok")))
            request.timeout = .milliseconds(20)
            let error = await #expect(throws: GatewayConnectionError.self) {
                try await open(request, server)
            }
            #expect(error?.code == .timedOut)
        }
    }

    /// A successful answer that is no greeting opens no session.
    @Test func whatIsNoGreetingOpensNothing() async throws {
        let behaviour = Self.server(greeting: []) { request in
            [.text(#"{"type":"res","id":"\#(request.id)","ok":true,"payload":{}}"#)]
        }
        try await TestServer.run(behaviour) { server in
            let request = request(.optaplus, .deviceToken(Secret("tok")))
            let error = await #expect(throws: GatewayConnectionError.self) {
                try await open(request, server)
            }
            #expect(error?.code == .notUnderstood)
        }
    }
}
