import Testing

@testable import Commands

@Suite struct ProbeSubjectTests {
    /// A text that cannot be an address is taken for the name of a gateway.
    @Test(arguments: ["Home Gateway", "Kitchen", "gateway-1", "Küche", "居間", "Mr. Smith: main", "a b:1", "🦞"])
    func aNameIsLookedFor(text: String) throws {
        #expect(try ProbeSubject(text) == .name(text))
    }

    /// A text that looks like a mistyped address is an error, and is not taken for a name.
    @Test(arguments: [
        "", " ", "192.168.1.2", "studio.local", "host:99999", "fe80::1", "ftp://a b", "ws://user:secret@host:1",
        "Kitchen\u{1B}[2J",
    ])
    func aSlipIsNoName(text: String) {
        #expect(throws: ArgumentProblem.self) { try ProbeSubject(text) }
    }
}
