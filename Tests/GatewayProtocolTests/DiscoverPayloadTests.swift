import GatewayProtocol
import Testing

@Suite struct DiscoverPayloadTests {
    private func payload(_ text: String) throws -> DiscoverPayload {
        try DiscoverPayload(json: try JSONValue(parsing: Array(text.utf8)))
    }

    @Test(arguments: ["null", "[]", "{}", "\"x\"", #"{"bots":{}}"#, #"{"gatewayFingerprint":""}"#, #"{"ok":true}"#])
    func needsAFingerprintOrBots(text: String) {
        #expect(throws: GatewayMessageError.self) { try payload(text) }
    }

    /// Fields of a wrong type and bots without an identifier are left out, and everything else is read.
    @Test func readsWhatCanBeUsed() throws {
        let read = try payload(
            #"{"gatewayFingerprint":7,"gatewayName":[],"bots":[1,{"botId":""},{"botId":"a"},{"botId":"a","name":"B"}]}"#
        )
        #expect(read.fingerprint == nil)
        #expect(read.name == nil)
        #expect(read.pairingRequired == nil)
        #expect(read.bots.map(\.name) == ["a"])
        #expect(read.botCount == 4)
    }

    /// The number of bots and the length of the name are limited.
    @Test func isBounded() throws {
        let bots = (0..<300).map { JSONValue.object(["botId": .string("b\($0)")]) }
        let name = String(repeating: "\u{1F916}", count: 100)
        let read = try DiscoverPayload(json: .object(["bots": .array(bots), "gatewayName": .string(name)]))
        #expect(read.bots.count == 256)
        #expect(read.botCount == 300)
        #expect(read.name?.utf8.count == 256)
        #expect(BotID(String(repeating: "x", count: 129)) == nil)
    }

    @Test func selectionsComeInThreeForms() throws {
        #expect(try BotSelection(json: "*") == .all)
        #expect(try BotSelection(json: .array(["*"])) == .all)
        #expect(try BotSelection(json: .array([])) == .some([]))
        #expect(throws: GatewayMessageError.self) { try BotSelection(json: .array([1])) }
        #expect(throws: GatewayMessageError.self) { try BotSelection(json: nil) }
    }
}
