import GatewayProtocol
import Testing

@testable import ReferenceGateway

@Suite struct DialogueTests {
    private let peer = GatewayPeer(connection: 7, address: "192.168.1.20:50000")

    private static let pairRequest =
        #"{"type":"pair_request","protocolVersion":1,"deviceId":"6f9619ff-8b86-4d01-b42d-00cf4fc964f1","claimedName":"Pad","deviceInfo":{"platform":"iOS","model":"iPad"}}"#

    /// Returns the texts that are sent in answer to a text, and the close code if the connection ends.
    private func talk(
        _ dialogue: inout Dialogue,
        _ state: inout GatewayState,
        _ text: String
    ) -> (sent: [String], code: UInt16?) {
        var generator = SystemRandomNumberGenerator()
        var (sent, code): ([String], UInt16?) = ([], nil)
        for action in dialogue.receive(Array(text.utf8), state: &state, at: .start, using: &generator) {
            switch action {
            case .send(let bytes): sent.append(String(decoding: bytes, as: UTF8.self))
            case .close(let number, _): code = number
            default: break
            }
        }
        return (sent, code)
    }

    /// An OpenClaw gateway begins with a challenge, and refuses every request before `connect`.
    @Test func openClawChallengesAndInsistsOnConnect() throws {
        var state = try GatewayState.example
        var dialogue = Dialogue(dialect: .openClaw, peer: peer)
        var generator = SystemRandomNumberGenerator()
        guard case .send(let bytes) = dialogue.start(at: .start, using: &generator).first,
            case .event(let event) = try GatewayFrame(parsing: bytes)
        else { throw CancellationError() }
        #expect(ConnectChallenge(event)?.timestamp == 1_737_264_000_000)
        let (sent, code) = talk(&dialogue, &state, #"{"type":"req","id":"1","method":"gateway.discover"}"#)
        #expect(code == 1_008)
        guard case .response(let response) = try GatewayFrame(parsing: Array(sent.joined().utf8)),
            case .failure(let failure) = response.outcome
        else { throw CancellationError() }
        #expect(failure.isConnectExpected)
    }

    /// A nonce has 32 digits, as many as a UUID without hyphens, because some clients check its length.
    @Test func openClawNoncesHave32Digits() throws {
        struct Zeroes: RandomNumberGenerator { func next() -> UInt64 { 7 } }
        var generator = Zeroes()
        var dialogue = Dialogue(dialect: .openClaw, peer: peer)
        guard case .send(let bytes) = dialogue.start(at: .start, using: &generator).first,
            case .event(let event) = try GatewayFrame(parsing: bytes)
        else { throw CancellationError() }
        #expect(ConnectChallenge(event)?.nonce == String(repeating: "0000000000000007", count: 2))
    }

    /// A bridge reports its health only after pairing, and accepts the token that it has granted.
    @Test func bridgeKeepsItsHealthToItselfAndPairs() throws {
        var state = try GatewayState.example
        var dialogue = Dialogue(dialect: .bridge, peer: peer)
        let health = #"{"type":"req","id":"1","method":"health"}"#
        let refusal =
            #"{"error":{"code":"UNAUTHORIZED","message":"not authenticated"},"id":"1","ok":false,"type":"res"}"#
        #expect(talk(&dialogue, &state, health).sent == [refusal])
        #expect(state == (try GatewayState.example))
        let sent = talk(&dialogue, &state, #"{"type":"pair-request","nodeId":"n1","displayName":"Pad"}"#).sent
        let token = try #require(state.pairings.first?.token)
        #expect(
            sent == [#"{"token":"\#(token)","type":"pair-ok"}"#, #"{"serverName":"Home Gateway","type":"hello-ok"}"#]
        )
        #expect(talk(&dialogue, &state, health).sent.first?.contains(#""ok":true"#) == true)
        var other = Dialogue(dialect: .bridge, peer: peer)
        #expect(talk(&other, &state, #"{"type":"hello","nodeId":"n1","token":"\#(token)"}"#).sent.count == 1)
        #expect(other.token == token)
    }

    @Test(arguments: [
        #"{"type":"Hello","token":"wrong"}"#, #"{"type":"Hello","token":""}"#, #"{"type":"Hello"}"#,
        #"{"type":"HelloAck","token":"right"}"#, #"{"type":"Note","data":{}}"#,
    ])
    func openAgentsHangsUpOnAllButItsToken(text: String) throws {
        var state = try GatewayState.example
        state.openAgentsToken = Secret("right")
        var dialogue = Dialogue(dialect: .openAgents, peer: peer)
        let (sent, code) = talk(&dialogue, &state, text)
        #expect(sent.isEmpty)
        #expect(code == 1_008)
    }

    /// Its token opens a session for every device, in which envelopes are taken, and no second greeting is.
    @Test(arguments: [#"{"type":"Hello","token":"right"}"#, #"{"token":"right"}"#])
    func openAgentsTakesItsToken(hello: String) throws {
        var state = try GatewayState.example
        state.openAgentsToken = Secret("right")
        var dialogue = Dialogue(dialect: .openAgents, peer: peer)
        #expect(talk(&dialogue, &state, hello).sent == [#"{"token":"right","type":"HelloAck"}"#])
        #expect(dialogue.isAdmitted)
        let (sent, code) = talk(&dialogue, &state, #"{"type":"Note","data":{"text":"hi"}}"#)
        #expect(sent.isEmpty && code == nil)
        #expect(talk(&dialogue, &state, #"{"type":"Hello","token":"right"}"#).code == 1_008)
    }

    /// Without a token of its own, no token is right.
    @Test func openAgentsWithoutATokenTakesNone() throws {
        var state = try GatewayState.example
        var dialogue = Dialogue(dialect: .openAgents, peer: peer)
        #expect(talk(&dialogue, &state, #"{"type":"Hello","token":""}"#).code == 1_008)
    }

    @Test func clawlinePairsAndAuthenticates() throws {
        var state = try GatewayState.example
        var dialogue = Dialogue(dialect: .clawline, peer: peer)
        let pair = Self.pairRequest
        let answer = try #require(talk(&dialogue, &state, pair).sent.first)
        guard case .pairResult(.success(let grant)) = try ClawlineMessage(parsing: Array(answer.utf8)) else {
            throw CancellationError()
        }
        let auth = ClawlineMessage.auth(
            token: grant.token,
            deviceID: "6f9619ff-8b86-4d01-b42d-00cf4fc964f1",
            lastMessageID: nil
        )
        dialogue = Dialogue(dialect: .clawline, peer: peer)
        #expect(talk(&dialogue, &state, String(decoding: auth.encoded, as: UTF8.self)).code == nil)
        let wrong = ClawlineMessage.auth(
            token: grant.token,
            deviceID: "6f9619ff-8b86-4d01-b42d-00cf4fc964f2",
            lastMessageID: nil
        )
        #expect(talk(&dialogue, &state, String(decoding: wrong.encoded, as: UTF8.self)).code == 1_008)
    }

    @Test(arguments: GatewayDialect.allCases, ["", "{", "[]", #"{"type":"x"}"#, String(repeating: "[", count: 1_000)])
    func nonsenseEndsTheConnection(dialect: GatewayDialect, text: String) throws {
        var state = try GatewayState.example
        var dialogue = Dialogue(dialect: dialect, peer: peer)
        let (sent, code) = talk(&dialogue, &state, text)
        #expect(sent.isEmpty)
        #expect(code == 1_008)
    }

    @Test func nothingIsAnsweredAfterAClose() throws {
        var state = try GatewayState.example
        var dialogue = Dialogue(dialect: .openAgents, peer: peer)
        #expect(talk(&dialogue, &state, #"{"type":"Hello","token":"wrong"}"#).code == 1_008)
        let (sent, code) = talk(&dialogue, &state, #"{"type":"Hello","token":"wrong"}"#)
        #expect(sent.isEmpty && code == nil)
    }

    /// Misbehaviours replace the messages that are sent by invalid ones.
    @Test func misbehaviourSpoilsWhatIsSent() throws {
        let actions: [GatewayAction] = [.save, .send(Array("{}".utf8))]
        #expect(Misbehaviour.dropping.apply(to: actions) == [.save, .drop])
        #expect(Misbehaviour.slow.apply(to: actions) == actions)
        for (misbehaviour, code) in [(Misbehaviour.oversized, GatewayMessageError.Code.tooLong), (.deepJSON, .tooDeep)]
        {
            let last = misbehaviour.apply(to: actions).last
            guard case .send(let bytes) = last else {
                Issue.record("expected bytes to send for \(misbehaviour), found \(String(describing: last))")
                continue
            }
            #expect { try GatewayFrame(parsing: bytes) } throws: { ($0 as? GatewayMessageError)?.code == code }
        }
    }
}
