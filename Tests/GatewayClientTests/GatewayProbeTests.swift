import DNSSD
import GatewayClient
import GatewayProtocol
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Testing

@Suite(.timeLimit(.minutes(1))) struct GatewayProbeTests {
    private static let quick = GatewayProbeConfiguration(
        limits: ConnectionLimits(duration: .seconds(2)),
        duration: .seconds(10),
        greetingTimeout: .milliseconds(20)
    )
    private static let discovered =
        #"{"type":"res","id":"1","ok":true,"payload":{"gatewayFingerprint":"abc123","gatewayName":"Home","bots":"#
        + #"[{"botId":"bot-1","name":"Jarvis","emoji":"🤖","status":"online"}],"pairingRequired":true}}"#
    private static let challenge =
        #"{"type":"event","event":"connect.challenge","payload":{"nonce":"b7e6","ts":1737264000000}}"#
    private static let refusal =
        #"{"type":"res","id":"1","ok":false,"error":{"code":"INVALID_REQUEST","message":"#
        + #""invalid handshake: first request must be connect"}}"#

    private func probe(
        _ behaviour: TestServer.Behaviour,
        tls: Bool = false,
        expected: GatewayDialect? = nil,
        transports: ProbeTransports = .plainFirst,
        resource: String = "/",
        pin: LeafFingerprint? = nil,
        _ check: (GatewayProbeReport, TestServer) throws -> Void
    ) async throws {
        try await TestServer.run(behaviour, tls: tls) { server in
            let target = GatewayProbeTarget(
                endpoints: [
                    Endpoint(address: server.endpoint.address, port: server.endpoint.port, resource: resource)
                ],
                rules: TargetRules(origin: .user),
                hints: [ProbeHint(expected: expected, transports: transports)],
                pin: pin
            )
            let report = await GatewayProbe(Self.quick).run(target)
            #expect(report.elapsed < .seconds(20))
            try check(report, server)
        }
    }

    // MARK: Gateways

    @Test func optaplusGateway() async throws {
        try await probe(.webSocket(answer: { _ in [.text(Self.discovered)] })) { report, server in
            guard case .optaplus(let payload) = report.verdict else { throw Unexpected(report) }
            #expect(payload.fingerprint == GatewayFingerprint("abc123"))
            #expect(payload.bots.map(\.name) == ["Jarvis"])
            #expect(report.path == GatewayProbePath(endpoint: server.endpoint, leaf: nil))
            #expect(report.steps.map(\.kind) == [.connect, .webSocket])
            #expect(server.received.text.contains("Host: 127.0.0.1:\(server.endpoint.port)\r\n"))
            #expect(!server.received.text.lowercased().contains("origin"))
        }
    }

    @Test func openClawGatewayByItsChallenge() async throws {
        try await probe(.webSocket(greeting: [Self.challenge]), expected: .openClaw) { report, server in
            #expect(report.verdict == .openClaw(OpenClawIdentification(evidence: .challenge)))
        }
    }

    @Test func openClawGatewayByItsRefusal() async throws {
        try await probe(.webSocket(answer: { _ in [.text(Self.refusal), .close(1_008)] })) { report, _ in
            #expect(report.verdict == .openClaw(OpenClawIdentification(evidence: .handshakeRefusal)))
        }
    }

    @Test func openClawGatewayByItsHealth() async throws {
        let behaviour = TestServer.Behaviour.webSocket(
            path: nil,
            http: {
                $0 == "/healthz" ? .init(status: .ok, body: #"{"ok":true,"status":"live"}"#) : .init(status: .notFound)
            }
        )
        try await probe(behaviour) { report, _ in
            #expect(report.verdict == .openClaw(OpenClawIdentification(evidence: .health)))
        }
    }

    /// A bridge is asked in its own protocol of lines, and gets no HTTP request.
    @Test func bridgeGetsItsLineAndNoHTTP() async throws {
        let answer =
            #"{"type":"res","id":"1","ok":false,"error":{"code":"UNAUTHORIZED","message":"not authenticated"}}"#
        try await probe(.raw(answer: Array(answer.utf8) + [0x0A]), expected: .bridge) { report, server in
            #expect(report.verdict == .bridge)
            #expect(server.received.text == "{\"id\":\"1\",\"method\":\"health\",\"type\":\"req\"}\n")
        }
    }

    @Test func openAgents() async throws {
        try await probe(
            .webSocket(answer: { _ in [.text(#"{"type":"HelloAck","token":""}"#)] }),
            expected: .openAgents
        ) { report, _ in #expect(report.verdict == .openAgents) }
        try await probe(.webSocket(answer: { _ in [.close(1_008)] }), expected: .openAgents) { report, _ in
            #expect(report.verdict == .openAgents)
        }
    }

    @Test(arguments: [GatewayDialect.clawline, nil])
    func clawline(expected: GatewayDialect?) async throws {
        let behaviour = TestServer.Behaviour.webSocket(
            path: "/ws",
            http: { $0 == "/version" ? .init(status: .ok, body: #"{"protocolVersion":1}"#) : .init(status: .notFound) }
        )
        try await probe(behaviour, expected: expected) { report, _ in
            #expect(
                report.verdict == .clawline(protocolVersion: 1),
                "\(report.steps.map { "\($0.kind) \($0.question) \($0.result) \($0.elapsed)" })"
            )
        }
    }

    // MARK: TLS

    @Test(arguments: [ProbeTransports.tlsFirst, .tlsOnly, .plainFirst])
    func tlsReportsTheLeaf(transports: ProbeTransports) async throws {
        let leaf = try #require(LeafFingerprint(TestCertificate.sha256))
        let behaviour = TestServer.Behaviour.webSocket(answer: { _ in [.text(Self.discovered)] })
        try await probe(behaviour, tls: true, transports: transports) { report, _ in
            #expect(report.verdict.dialect == .optaplus)
            #expect(report.path?.leaf == leaf)
        }
        try await probe(behaviour, tls: true, transports: .tlsOnly, pin: leaf) { report, _ in
            #expect(report.verdict.dialect == .optaplus)
        }
    }

    /// A peer with another certificate than the pinned one gets not a single byte, and is not tried again.
    @Test func anotherLeafThanThePinGetsNotOneByte() async throws {
        let behaviour = TestServer.Behaviour.webSocket(answer: { _ in [.text(Self.discovered)] })
        let pin = try #require(LeafFingerprint(String(repeating: "ab", count: 32)))
        let leaf = try #require(LeafFingerprint(TestCertificate.sha256))
        try await probe(behaviour, tls: true, transports: .tlsFirst, pin: pin) { report, server in
            #expect(report.verdict == .nothing(.wrongLeaf(found: leaf)))
            #expect(server.received.bytes.isEmpty)
            #expect(server.received.connections == 1)
        }
    }

    /// A target with a pinned certificate is never asked without TLS.
    @Test func aPinIsNotGivenUpForPlainText() async throws {
        let pin = try #require(LeafFingerprint(TestCertificate.sha256))
        let behaviour = TestServer.Behaviour.webSocket(answer: { _ in [.text(Self.discovered)] })
        try await probe(behaviour, transports: .plainFirst, pin: pin) { report, server in
            #expect(report.verdict == .nothing(.tlsFailure))
            #expect(!server.received.text.contains("GET"))
        }
    }

    /// With a hint at TLS, plain text is tried when the handshake fails, unless only TLS is allowed.
    @Test func plainIsTriedOnceWhereTLSWasHinted() async throws {
        try await probe(.webSocket(answer: { _ in [.text(Self.discovered)] }), transports: .tlsFirst) { report, _ in
            #expect(report.verdict.dialect == .optaplus)
            #expect(report.path?.leaf == nil)
        }
        try await probe(.webSocket(answer: { _ in [.text(Self.discovered)] }), transports: .tlsOnly) { report, _ in
            #expect(report.verdict == .nothing(.tlsFailure))
        }
    }

    // MARK: Peers that are no gateways

    @Test func sshServer() async throws {
        try await probe(.raw(greeting: Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)), expected: .optaplus) { report, _ in
            guard case .other(let answer) = report.verdict else { throw Unexpected(report) }
            #expect(answer.summary == "an SSH server")
            #expect(answer.text.text.hasPrefix("SSH-2.0-OpenSSH_9.2"))
        }
    }

    @Test func redirectIsNotFollowed() async throws {
        try await TestServer.run(.webSocket(answer: { _ in [.text(Self.discovered)] })) { trap in
            let location = "http://\(trap.endpoint)/"
            let behaviour = TestServer.Behaviour.webSocket(
                path: nil,
                http: { _ in .init(status: .found, headers: [("Location", location)]) }
            )
            try await probe(behaviour) { report, _ in
                guard case .other(let answer) = report.verdict else { throw Unexpected(report) }
                #expect(answer.summary == "a web server (HTTP 302)")
                #expect(trap.received.connections == 0)
            }
        }
    }

    @Test func silenceIsNoAnswer() async throws {
        try await probe(.raw(), expected: .optaplus) { report, _ in
            guard case .nothing(.noAnswer) = report.verdict else { throw Unexpected(report) }
            #expect(report.path == nil)
        }
        try await probe(.webSocket()) { report, _ in
            #expect(report.verdict.dialect == nil)
        }
    }

    /// A peer that sends its answer byte by byte does not prolong the probe.
    @Test func oneByteAfterTheOther() async throws {
        let bytes = Array("HTTP/1.1 101 Switching Protocols\r\n".utf8)
        try await probe(.drip(bytes, every: .milliseconds(90)), expected: .optaplus) { report, _ in
            guard case .nothing(.noAnswer) = report.verdict else { throw Unexpected(report) }
        }
    }

    @Test func hangingUpAtOnce() async throws {
        try await probe(.raw(hangsUp: true), transports: .plainOnly) { report, _ in
            guard case .nothing = report.verdict else { throw Unexpected(report) }
        }
    }

    @Test func refusedPort() async throws {
        let target = GatewayProbeTarget(endpoints: [.nobodys], rules: TargetRules(origin: .user))
        let report = await GatewayProbe(Self.quick).run(target)
        #expect(report.verdict == .nothing(.refused))
    }

    /// Answers that are malformed, too long or too deeply nested lead to the verdict that the peer is no gateway.
    @Test(arguments: [
        String(repeating: " ", count: 70_000), String(repeating: "[", count: 60_000), #"{"type":"res","type":"res"}"#,
        #"{"type":"res","id":"1","ok":"yes"}"#, #"{"type":"res","id":1,"ok":true}"#, "null", "", "\u{0}",
        #"{"type":"res","id":"1","ok":true,"payload":{"bots":7}}"#,
    ])
    func answersThatMakeNoSense(answer: String) async throws {
        try await probe(.webSocket(answer: { _ in [.text(answer)] })) { report, _ in
            guard case .other = report.verdict else { throw Unexpected(report) }
        }
    }

    /// A message of endless fragments does not prolong the probe.
    @Test func endlessFragments() async throws {
        let fragment = WebSocketFrame(fin: false, opcode: .continuation, data: ByteBuffer(string: "a"))
        let first = WebSocketFrame(fin: false, opcode: .text, data: ByteBuffer(string: "a"))
        try await probe(
            .webSocket(answer: { _ in [first] + Array(repeating: fragment, count: 2_000) })
        ) { report, _ in
            guard case .other = report.verdict else { throw Unexpected(report) }
        }
    }

    // MARK: Targets and addresses

    /// A loopback address from the network is not contacted: only this host and its user can name one.
    @Test func loopbackOfAnotherHostIsNotContacted() async throws {
        try await TestServer.run(.raw()) { server in
            let target = GatewayProbeTarget(endpoints: [server.endpoint], rules: TargetRules(origin: .network))
            let report = await GatewayProbe(Self.quick).run(target)
            #expect(report.verdict == .nothing(.notAllowed(.loopback)))
            #expect(server.received.connections == 0)
        }
    }

    @Test func theAddressThatAnswersIsNamed() async throws {
        try await TestServer.run(.webSocket(answer: { _ in [.text(Self.discovered)] })) { server in
            // Nothing listens at the first address, so that the next one is tried at once.
            let dead = try #require(IPAddress("127.0.0.0"))
            let endpoints = [Endpoint(address: dead, port: server.endpoint.port), server.endpoint]
            let target = GatewayProbeTarget(endpoints: endpoints, rules: TargetRules(origin: .user))
            let report = await GatewayProbe(Self.quick).run(target)
            #expect(report.path?.endpoint == server.endpoint)
        }
    }

    @Test func aSilentAddressDoesNotHideTheOthers() async throws {
        try await TestServer.run(.raw()) { silent in
            try await TestServer.run(.webSocket(answer: { _ in [.text(Self.discovered)] })) { server in
                let target = GatewayProbeTarget(
                    endpoints: [silent.endpoint, server.endpoint],
                    rules: TargetRules(origin: .user),
                    hints: [ProbeHint(expected: .optaplus)]
                )
                let report = await GatewayProbe(Self.quick).run(target)
                #expect(report.verdict.dialect == .optaplus)
                #expect(report.path?.endpoint == server.endpoint)
            }
        }
    }

    @Test func theDeadlineOfTheCallerHolds() async throws {
        try await TestServer.run(.raw()) { server in
            let target = GatewayProbeTarget(endpoints: [server.endpoint], rules: TargetRules(origin: .user))
            let patient = GatewayProbeConfiguration(
                limits: ConnectionLimits(duration: .seconds(20)),
                duration: .seconds(40)
            )
            let report = await GatewayProbe(patient).run(target, deadline: .now + .milliseconds(200))
            guard case .nothing(.noAnswer) = report.verdict else { throw Unexpected(report) }
            #expect(report.elapsed < .seconds(10))
        }
    }

    private struct Unexpected: Error, CustomStringConvertible {
        let description: String

        init(_ report: GatewayProbeReport) {
            self.description = "\(report)"
        }
    }
}
