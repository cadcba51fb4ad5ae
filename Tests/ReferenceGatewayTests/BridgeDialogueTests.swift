import GatewayProtocol
import Testing

@testable import ReferenceGateway

/// A Clawdbot bridge: who gets a token, and who is refused with which words.
@Suite struct BridgeDialogueTests {
    private var state: GatewayState
    private var generator = SystemRandomNumberGenerator()

    init() throws {
        state = try .example
        state.bridge.approvesAll = false
    }

    private mutating func receive(_ text: String, on connection: Int = 1) -> [GatewayAction] {
        let peer = GatewayPeer(connection: connection, address: "192.168.1.20:50000")
        var dialogue = Dialogue(dialect: .bridge, peer: peer)
        return dialogue.receive(Array(text.utf8), state: &state, at: .start, using: &generator)
    }

    private mutating func receive(_ message: BridgeMessage, on connection: Int = 1) -> [GatewayAction] {
        receive(String(decoding: message.encoded, as: UTF8.self), on: connection)
    }

    private mutating func operate(_ method: String, _ id: String = "n1") -> [GatewayAction] {
        let request = GatewayRequest(id: "1", method: method, params: .object(["id": .string(id)]))
        return state.operate(request, dialect: .bridge, url: "", at: .start, using: &generator)
    }

    private static func device(_ id: String = "n1", token: Secret? = nil) -> BridgeDevice {
        BridgeDevice(nodeID: id, displayName: "Pad", platform: "linux", version: "1", token: token)
    }

    private func sent(_ actions: [GatewayAction]) -> [BridgeMessage] {
        actions.flatMap { action -> [[UInt8]] in
            switch action {
            case .send(let bytes), .resolve(_, let bytes): [bytes]
            case .grant(_, _, let messages): messages
            default: []
            }
        }.compactMap { try? BridgeMessage(parsing: $0) }
    }

    private mutating func token() throws -> Secret {
        _ = receive(.pairRequest(Self.device()))
        guard case .pairOK(let token)? = sent(operate("approve")).first else { throw CancellationError() }
        return token
    }

    /// A device waits for a decision, and is told it on the same connection.
    @Test mutating func aDeviceWaitsForTheOperator() {
        let required = BridgeMessage.error(code: "NOT_PAIRED", message: "pairing required")
        #expect(sent(receive(.hello(Self.device()))) == [required])
        let asked = receive(.pairRequest(Self.device()))
        #expect(asked.contains(.hold(deviceID: "n1")) && sent(asked).isEmpty && state.pairings.isEmpty)
        #expect(sent(operate("reject")).first == .error(code: "UNAUTHORIZED", message: "pairing rejected"))
        #expect(state.bridge.queue.requests.isEmpty && state.pairings.isEmpty)

        _ = receive(.pairRequest(Self.device()))
        let messages = sent(operate("approve")).prefix(2)
        guard case .pairOK(let token)? = messages.first else {
            Issue.record("expected a token")
            return
        }
        #expect(messages.last == .helloOK(serverName: state.name) && token.revealed == state.pairings.first?.token)
    }

    /// A device that has left waits no more: its token would reach nobody.
    @Test mutating func aDeviceThatHasLeftWaitsNoMore() {
        _ = receive(.pairRequest(Self.device()))
        state.bridge.queue.forget(connection: 1)
        #expect(!operate("approve").contains(.save) && state.pairings.isEmpty)
    }

    /// Only the device that a token was granted to can use it, and only until it is revoked.
    @Test mutating func aTokenOpensItsOwnSession() throws {
        let token = try token()
        let text = try #require(token.revealed)
        let entered = receive(.hello(Self.device(token: token)), on: 2)
        #expect(entered.contains(.admit(token: text)) && entered.contains(.displace(token: text)))
        #expect(sent(entered) == [.helloOK(serverName: state.name)])

        let invalid = [BridgeMessage.error(code: "UNAUTHORIZED", message: "invalid token")]
        #expect(sent(receive(.hello(Self.device("n2", token: token)))) == invalid)
        #expect(sent(receive(.hello(Self.device(token: Secret("other"))))) == invalid)
        #expect(operate("revoke").contains(.revoke([text])))
        #expect(sent(receive(.hello(Self.device(token: token)))) == invalid)
    }

    /// A request without what belongs to it is refused, and the device may say something better; anything else ends it.
    @Test(arguments: [
        (#"{"type":"hello"}"#, false), (#"{"type":"hello","nodeId":""}"#, false), (#"{"type":"dance"}"#, true),
        (#"{"type":"pair-request","nodeId":7}"#, false), ("GET / HTTP/1.1", true), (#"{"type":"hello-ok"}"#, true),
    ])
    mutating func anIncompleteRequestIsRefused(text: String, ends: Bool) throws {
        let actions = receive(text)
        #expect(actions.contains { $0.endsConnection } == ends)
        guard !ends else { return }
        guard case .error("INVALID_REQUEST", _)? = sent(actions).first else {
            Issue.record("expected a refusal, found \(actions)")
            return
        }
    }

    /// A device that a bridge has not let in may tell what it will: it hears only that it is not authenticated.
    @Test(arguments: [#"{"type":"event","event":"x"}"#, #"{"type":"req","id":"1","method":"health"}"#])
    mutating func nothingIsTakenBeforeTheGreeting(text: String) {
        let actions = receive(text)
        let texts = actions.compactMap { action -> String? in
            guard case .send(let bytes) = action else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(texts.count == 1 && texts[0].contains("not authenticated"), "\(texts)")
    }

    /// So many devices may wait, and no more.
    @Test mutating func notEveryStrangerMayWait() {
        for number in 1...64 { _ = receive(.pairRequest(Self.device("n\(number)")), on: number) }
        let rejected = receive(.pairRequest(Self.device("n65")), on: 65)
        #expect(sent(rejected) == [.error(code: "UNAUTHORIZED", message: "pairing rejected")])
        #expect(state.bridge.queue.requests.count == 64)
    }
}
