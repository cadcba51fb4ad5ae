internal import DNSSD
internal import Testing

@Suite("Link") struct LinkTests {
    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    private func link() throws -> Link {
        Link(
            interface: NetworkInterface(index: 2, name: "eth0"),
            prefixes: [
                Link.Prefix(address: try address("10.99.0.1"), length: 16),
                Link.Prefix(address: try address("fe80::1"), length: 64),
                Link.Prefix(address: try address("fd00:1::1"), length: 64),
            ]
        )
    }

    @Test(
        "accepts addresses of its networks and link-local ones as on the link (RFC 6762 §11)",
        arguments: [
            ("10.99.255.7", true), ("10.98.0.1", false), ("169.254.3.4", true), ("fe80::9", true), ("fd00:1::5", true),
            ("fd00:2::5", false), ("8.8.8.8", false), ("2001:db8::1", false), ("224.0.0.251", false),
            ("127.0.0.1", false),
        ]
    )
    func onLink(text: String, isOnLink: Bool) throws {
        #expect(try link().isOnLink(address(text)) == isOnLink)
    }

    @Test("ignores a prefix of length 0, which would put every address on the link")
    func noBits() throws {
        let link = Link(
            interface: NetworkInterface(index: 2, name: "eth0"),
            prefixes: [
                Link.Prefix(address: try address("10.99.0.1"), length: 0),
                Link.Prefix(address: try address("fd00:1::1"), length: 0),
            ]
        )
        #expect(try !link.isOnLink(address("8.8.8.8")))
        #expect(try !link.isOnLink(address("2001:db8::1")))
    }
}
