import Testing

@testable import GatewayProtocol

/// The one rule for the names of requests, by commands and over the API.
@Suite struct RequestNameTests {
    /// Nothing is a name that is no beginning of an identifier: what a device may ask under, may be typed.
    @Test(arguments: [
        ("0f3c8a52", true), ("a", true), ("A.b_c:d-e", true), ("_0f3c8a52", false), ("-0f3c8a52", false), ("", false),
        ("a b", false), ("a\n", false), ("ä", false), (String(repeating: "a", count: 128), true),
        (String(repeating: "a", count: 129), false),
    ])
    func aNameBeginsAsAnIdentifier(text: String, isName: Bool) {
        #expect((RequestName(text) != nil) == isName)
        let request: JSONValue = .object(["requestId": .string(text)])
        #expect((DeviceRequest(json: request) != nil) == isName)
    }

    /// The whole comes before the beginning; where devices choose their identifiers, only the whole counts.
    @Test func aNameMeansTheWholeBeforeTheBeginning() throws {
        let requests = try ["0f3c8a52", "0f3c8a52-1", "0f3c8a52-2"].map { id in
            try #require(DeviceRequest(json: .object(["requestId": .string(id)])))
        }
        func found(_ text: String, _ dialect: GatewayDialect = .openClaw) throws -> [String] {
            try #require(RequestName(text)).matches(requests, in: dialect).map(\.id)
        }
        #expect(try found("0f3c8a52") == ["0f3c8a52"])
        #expect(try found("0f3c8a52-") == ["0f3c8a52-1", "0f3c8a52-2"])
        #expect(try found("0f3c8a5").isEmpty, "too short to mean one")
        #expect(try found("0f3c8a52-", .clawline).isEmpty)
        #expect(try found("0f3c8a52-1", .clawline) == ["0f3c8a52-1"])
    }
}
