import Testing

@testable import Commands
@testable import Console

@Suite struct ProbeSubjectTests {
    /// A text that cannot be an address is taken for the name of a gateway.
    @Test(arguments: [
        "Home Gateway", "Kitchen", "gateway-1", "Küche", "居間", "Mr. Smith: main", "a b:1", "🦞", "Home/Jarvis",
        "fingerprint:abc123", "endpoint:10.0.0.2:3000", #"service:Home\032Gateway._openclaw._tcp.local"#,
    ])
    func aNameIsLookedFor(text: String) throws {
        #expect(try ProbeSubject(text) == .name(text))
    }

    /// A host without a port is asked at the usual ports.
    @Test(arguments: [
        ("192.168.1.2", "192.168.1.2"), ("studio.local", "studio.local"), ("fe80::1", "fe80::1"), ("[::1]", "::1"),
        ("fe80::1%eth0", "fe80::1%eth0"),
    ])
    func aHostNeedsNoPort(text: String, host: String) throws {
        #expect(try ProbeSubject(text) == .host(host))
    }

    /// A text that looks like a mistyped address is an error, and is not taken for a name.
    @Test(arguments: [
        "", " ", "1.2", "host:99999", "studio.local/x", "ftp://a b", "ws://user:secret@host:1",
        "Kitchen\u{1B}[2J",
    ])
    func aSlipIsNoName(text: String) {
        #expect(throws: ArgumentProblem.self) { try ProbeSubject(text) }
    }
}
