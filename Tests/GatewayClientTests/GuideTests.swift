import DNSSD
import GatewayClient
import GatewayProtocol
import NIOWebSocket
import TestSupport
import Testing

// From here to the suite: the listings of Sources/GatewayClient/GatewayClient.docc, word for word. Change both
// together.

func describe(_ endpoints: [Endpoint]) async -> String {
    let target = GatewayProbeTarget(endpoints: endpoints, rules: TargetRules(origin: .user))
    let report = await GatewayProbe().run(target)
    switch report.verdict {
    case .optaplus(let gateway): return "a gateway with \(gateway.bots.count) bots"
    case .openClaw, .bridge, .openAgents, .clawline:
        return "a gateway that speaks \(report.verdict.dialect?.rawValue ?? "")"
    case .other(let answer): return "no gateway: \(answer.summary)"
    case .nothing(let reason): return "no answer: \(reason)"
    }
}

func isAlive(_ report: GatewayProbeReport) async -> Bool {
    guard let path = report.path, let dialect = report.verdict.dialect else { return false }
    guard case .answered = await LivenessCheck(path: path, dialect: dialect).ask() else { return false }
    return true
}

func follow(
    _ endpoints: [Endpoint],
    pin: LeafFingerprint,
    heard: (GatewayEvent) -> Void
) async throws -> GatewayConnectionError? {
    try await GatewayConversation.withConversation(to: endpoints, transport: .tls(pin: pin)) { gateway in
        let bots = try await gateway.request("gateway.discover", params: .object([:]), timeout: .seconds(5))
        guard case .success = bots.outcome else { return nil }
        do {
            for try await case .event(let event) in gateway.frames { heard(event) }
            return nil
        } catch let error as GatewayConnectionError {
            return error
        }
    }
}

func mayTryAgain(_ error: GatewayConnectionError) -> Bool {
    switch (error.code, error.close?.code) {
    // The credential was refused or withdrawn: the same one again is refused again.
    case (.closed, 1_008), (.closed, 4_001): false
    // Another certificate than the one that was demanded: nothing was sent, and somebody has to look.
    case (.wrongLeaf, _), (.untrusted, _): false
    default: true
    }
}

/// The listings of the guides compile, and do what the guides say.
@Suite(.timeLimit(.minutes(1))) struct GuideTests {
    @Test func theGuideIsCompiled() throws {
        let listings = try GuideListing.all(ofModule: "GatewayClient")
        #expect(listings.count == 4)
        #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
    }

    @Test func aGatewayIsDescribedAndAlive() async throws {
        let reply = #"{"type":"res","id":"1","ok":true,"payload":{"gatewayFingerprint":"a","bots":[]}}"#
        try await TestServer.run(.webSocket(answer: { _ in [.text(reply)] })) { server in
            #expect(await describe([server.endpoint]) == "a gateway with 0 bots")
            let target = GatewayProbeTarget(endpoints: [server.endpoint], rules: TargetRules(origin: .user))
            #expect(await isAlive(await GatewayProbe().run(target)))
        }
    }

    @Test func whatIsNoGatewayIsDescribedToo() async throws {
        let endpoint = try await TestServer.run(.raw(greeting: Array("SSH-2.0-x\r\n".utf8))) { server in
            #expect(await describe([server.endpoint]) == "no gateway: an SSH server")
            return server.endpoint
        }
        #expect(await describe([endpoint]) == "no answer: connection refused")
    }

    @Test func aConversationIsFollowedToItsEnd() async throws {
        let reply = #"{"type":"res","id":"1","ok":true,"payload":{"gatewayFingerprint":"a","bots":[]}}"#
        let tick = #"{"type":"event","event":"tick"}"#
        let frames: [WebSocketFrame] = [.text(reply), .text(tick), .close(4_001, "device removed")]
        try await TestServer.run(.webSocket(answer: { _ in frames }), tls: true) { server in
            let pin = try #require(LeafFingerprint(TestCertificate.sha256))
            var heard: [String] = []
            let end = try #require(try await follow([server.endpoint], pin: pin) { heard.append($0.name) })
            #expect(heard == ["tick"])
            let close = try #require(end.close)
            #expect("\(close)" == "code 4001: device removed")
            #expect(!mayTryAgain(end))
        }
    }
}
