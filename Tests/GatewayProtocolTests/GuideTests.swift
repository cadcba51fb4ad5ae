import DNSSD
import GatewayProtocol
import TestSupport
import Testing

// From here to the suite: the listings of Sources/GatewayProtocol/GatewayProtocol.docc, word for word. Change both
// together.

func label(_ instance: ServiceInstance, _ txt: TXTRecord) -> String {
    let advertisement = GatewayAdvertisement(instance: instance, txt: txt)
    guard advertisement.problems.isEmpty else {
        return advertisement.problems.map(\.description).joined(separator: "; ")
    }
    return "\(DisplayText(advertisement.name)), \(advertisement.bots ?? 0) bots"
}

func bots(in bytes: [UInt8], answering request: GatewayRequest) throws -> [BotDescription]? {
    guard case .response(let response) = try GatewayFrame(parsing: bytes), response.id == request.id else { return nil }
    return try DiscoverPayload(json: response.outcome.get()).bots
}

/// The listings of the guide compile, and do what the guide says.
@Suite struct GuideTests {
    @Test func theGuideIsCompiled() throws {
        let listings = try GuideListing.all(ofModule: "GatewayProtocol")
        #expect(listings.count == 2)
        #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
    }

    @Test func anAdvertisementIsReadAndItsFaultsAreWords() throws {
        let instance = try ServiceInstance(name: "Home", type: .openClaw)
        var txt = try GatewayAdvertisement.txtRecord(fingerprint: GatewayFingerprint("ab"), name: "Den", bots: 3)
        #expect(label(instance, txt) == "Den, 3 bots")
        try txt.set("many", forKey: "bots")
        #expect(label(instance, txt).hasPrefix("TXT bots: expected"))
    }

    @Test func anAnswerIsMatchedByItsID() throws {
        let request = GatewayRequest.discover(id: "1")
        let payload = DiscoverPayload(
            fingerprint: nil,
            name: "Den",
            bots: [BotDescription(id: try #require(BotID("a")), name: "A")],
            pairingRequired: nil
        )
        let answer = GatewayFrame.response(GatewayResponse(id: "1", outcome: .success(payload.json))).encoded
        #expect(try bots(in: answer, answering: request)?.map(\.name) == ["A"])
        #expect(try bots(in: answer, answering: .discover(id: "2")) == nil)
        let refusal = GatewayResponse(id: "1", outcome: .failure(GatewayFailure(code: "NO", message: "not today")))
        #expect(throws: GatewayFailure.self) {
            try bots(in: GatewayFrame.response(refusal).encoded, answering: request)
        }
    }
}
