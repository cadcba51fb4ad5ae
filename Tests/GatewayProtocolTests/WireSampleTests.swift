import DNSSD
import GatewayProtocol
import Testing

/// Every recorded message is read with its meaning, and written again as the same JSON.
@Suite struct WireSampleTests {
    private func frame(_ name: String) throws -> GatewayFrame {
        let fixture = try Fixture(name)
        let frame = try GatewayFrame(parsing: fixture.bytes)
        #expect(frame.encoded == (try fixture.json.encoded))
        return frame
    }

    private func response(_ name: String) throws -> GatewayResponse {
        guard case .response(let response) = try frame(name) else { throw Mismatch() }
        return response
    }

    private func params(_ name: String, method: String) throws -> JSONValue? {
        guard case .request(let request) = try frame(name) else { throw Mismatch() }
        #expect(request.method == method)
        return request.params
    }

    private struct Mismatch: Error {}

    @Test func discover() throws {
        #expect(try frame("design-discover-request") == .request(.discover(id: "1")))
        let payload = try response("design-discover-response").outcome.get()
        let bot = BotDescription(
            id: try #require(BotID("bot-1")),
            name: "Jarvis",
            emoji: "\u{1F916}",
            status: "online"
        )
        let expected = DiscoverPayload(
            fingerprint: GatewayFingerprint("abc123"),
            name: "Home Gateway",
            bots: [bot],
            pairingRequired: true
        )
        #expect(try DiscoverPayload(json: payload) == expected)
        #expect(expected.json == payload)
    }

    @Test func pairAndUnpair() throws {
        let pair = try params("design-pair-request", method: "device.pair")
        let device = try DevicePairParams(json: pair)
        #expect(device.deviceName == "Kitchen Pi")
        #expect(device.requestedBots == .some(["bot-1", "bot-2"].compactMap { BotID($0) }))
        #expect(device.json == pair)

        let payload = try response("design-pair-response").outcome.get()
        let result = try DevicePairResult(json: payload)
        #expect(result.pairings.map(\.token) == [Secret("t0ken")])
        #expect(result.fingerprint == GatewayFingerprint("abc123"))
        #expect(result.json.encoded == payload?.encoded)

        let unpair = try params("design-unpair-request", method: "device.unpair")
        #expect(try DeviceUnpairParams(json: unpair).json == unpair)
    }

    @Test func openClaw() throws {
        guard case .event(let event) = try frame("openclaw-challenge") else { throw Mismatch() }
        let challenge = try #require(ConnectChallenge(event))
        #expect(challenge == ConnectChallenge(nonce: "b7e6f0c2", timestamp: 1_737_264_000_000))
        #expect(challenge.event == event)

        guard case .failure(let failure) = try response("openclaw-first-frame").outcome else { throw Mismatch() }
        #expect(failure.isConnectExpected)
        guard case .failure(let failure) = try response("openclaw-not-paired").outcome else { throw Mismatch() }
        #expect(failure.code == "NOT_PAIRED")
        #expect(failure.details?["requestId"] == "req-1")
        let agents = try response("openclaw-agents").outcome.get()
        #expect(agents?["agents"]?.array?.first?["identity"]?["name"] == "Jarvis")
    }

    @Test(arguments: try Fixture.names("bridge-"))
    func bridge(name: String) throws {
        let fixture = try Fixture(name)
        #expect(try BridgeMessage(parsing: fixture.bytes).encoded == (try fixture.json.encoded))
    }

    @Test func bridgeHealth() throws {
        let request = try BridgeMessage(parsing: try Fixture("bridge-health-request").bytes)
        #expect(request == .request(id: "1", method: "health", paramsJSON: nil))
        let refused = try BridgeMessage(parsing: try Fixture("bridge-health-refused").bytes)
        let failure = GatewayFailure(code: "UNAUTHORIZED", message: "not authenticated")
        #expect(refused == .response(id: "1", outcome: .failure(failure)))
    }

    @Test(arguments: try Fixture.names("openagents-"))
    func openAgents(name: String) throws {
        let fixture = try Fixture(name)
        #expect(try OpenAgentsMessage(parsing: fixture.bytes).encoded == (try fixture.json.encoded))
        #expect(try OpenAgentsMessage(parsing: Array(#"{"token":"a"}"#.utf8)) == .hello(token: Secret("a")))
    }

    @Test(arguments: try Fixture.names("clawline-").filter { $0 != "clawline-version" })
    func clawline(name: String) throws {
        let fixture = try Fixture(name)
        #expect(try ClawlineMessage(parsing: fixture.bytes).encoded == (try fixture.json.encoded))
    }

    @Test func health() throws {
        #expect(HealthReply(parsing: try Fixture("openclaw-healthz").bytes) == .openClaw)
        #expect(HealthReply(parsing: try Fixture("clawline-version").bytes) == .clawline(protocolVersion: 1))
        #expect(HealthReply(parsing: Array("<html>".utf8)) == nil)
        for name in ["openclaw-healthz", "clawline-version"] {
            let fixture = try Fixture(name)
            #expect(HealthReply(parsing: fixture.bytes)?.encoded == (try fixture.json.encoded))
        }
    }
}
