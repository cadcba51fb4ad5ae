import Testing

@testable import DNSSD
@testable import GatewayClient

/// The comparison of a host name with the names in a certificate (RFC 9525 §6): whoever it accepts gets tokens.
@Suite struct ServerNameProofTests {
    @Test(
        arguments: [
            ("gw.example", "gw.example"), ("gw.example", "GW.Example"), ("gw.example.", "gw.example"),
            ("gw.example", "gw.example."), ("gw.example", "*.example"),
            ("xn--bcher-kva.example", "xn--BCHER-kva.example"),
            ("xn--bcher-kva.example", "*.example"), ("my-pi.tail1234.ts.net", "my-pi.tail1234.ts.net"), ("gw", "gw"),
            ("1.example", "1.example"),
        ]
    )
    func aNameProvesTheHost(host: String, name: String) throws {
        #expect(try #require(ServerName(host)).isProved(by: Array(name.utf8)))
    }

    @Test(
        arguments: [
            // Other names.
            ("gw.example", "example"), ("gw.example", "gw.example.org"), ("gw.example", "mgw.example"),
            ("gw.example", ""),
            ("gw.example", "."), ("gw.example", "gw..example"), ("gw.example", ".gw.example"),
            ("gw.example", "gw.example.."),
            // A wildcard is the whole left-most label, and stands for exactly one.
            ("gw.example", "g*.example"), ("gw.example", "*w.example"), ("gw.example", "gw.*"), ("gw.example", "*.*"),
            ("gw.example", "*"), ("gw", "*"), ("a.gw.example", "*.example"), ("example", "*.example"),
            ("a.b.example", "a.*.example"), ("xn--bcher-kva.example", "xn--*.example"), ("gw.example", "**.example"),
            // Bytes that a C string would end at, or that a person would not see.
            ("gw.example", "gw.example\0.mallory.example"), ("gw.example", "gw.example\0"),
            ("gw.example", " gw.example"),
            ("gw.example", "gw\u{3002}example"), ("ss.example", "ß.example"),
        ]
    )
    func anotherNameProvesNothing(host: String, name: String) throws {
        #expect(try !#require(ServerName(host)).isProved(by: Array(name.utf8)))
    }

    /// A text that is no host name cannot be proved: an address, in any notation that a resolver takes for one, is
    /// none.
    @Test(
        arguments: [
            "", ".", "..", "gw..example", ".gw", "192.0.2.1", "192.0.2.1.", "127.1", "2130706433", "0x7f.1", "gw.0x7F",
            "fe80::1", "[::1]", "gw.example:443", "*.example", "bücher.example", "gw example", "gw\0", "-gw.example",
            "gw-.example", String(repeating: "a", count: 64) + ".example",
            Array(repeating: "abcdefg", count: 32).joined(separator: "."),
        ]
    )
    func onlyHostNamesCanBeProved(text: String) {
        #expect(ServerName(text) == nil)
    }
}
