import DNSSD
import GatewayClient
import GatewayProtocol
import Testing

@testable import Pairing

/// The parsing of pairing links, which are also in QR codes. Anybody can make them, so they are untrusted.
@Suite struct PairingLinkTests {
    private static let digits = String(repeating: "0a", count: 32)

    /// A link with an address gives a target with its fingerprint and token, and the token is not in any description.
    @Test func aLinkLeadsToAnAddress() throws {
        let link = try PairingLink(parsing: "optaplus://pair?host=192.168.1.50&port=3000&fp=abc123&token=xyz")
        let address = try #require(IPAddress("192.168.1.50"))
        #expect(link.place == .endpoints([Endpoint(address: address, port: 3_000)]))
        #expect(link.fingerprint == GatewayFingerprint("abc123"))
        #expect(link.token == Secret("xyz"))
        let target = PairingTarget(link)
        #expect(target.leaf == nil, "a fingerprint that is no hash of a certificate is only a label")
        #expect(target.fingerprint == GatewayFingerprint("abc123"))
        #expect(target.pairingToken == Secret("xyz"))
        #expect(!"\(link) \(target)".contains("xyz"))
    }

    /// A link whose fingerprint is the hash of a certificate demands that certificate, over TLS alone.
    @Test func aFingerprintOfACertificateIsDemanded() throws {
        let target = PairingTarget(try PairingLink(parsing: "optaplus://pair?host=10.0.0.1&fp=\(Self.digits)"))
        #expect(target.leaf == LeafFingerprint(Self.digits))
        #expect(target.transports == .tlsOnly)
        // Fingerprints are compared byte by byte, so that upper-case digits are no certificate's fingerprint.
        let upper = try PairingLink(parsing: "optaplus://pair?host=10.0.0.1&fp=\(Self.digits.uppercased())")
        #expect(PairingTarget(upper).leaf == nil)
    }

    /// A link with a remote URL gives a target for it, beside a local host if there is one too.
    @Test func aLinkLeadsToARemoteHost() throws {
        let link = try PairingLink(parsing: "OptaPlus://pair/?remote=wss%3A%2F%2Fbot.example.com%2Fgw&fp=a%20b")
        let url = try #require(GatewayURL("wss://bot.example.com/gw"))
        #expect(link.place == .remote(url))
        #expect(link.remote == url)
        #expect(link.fingerprint == GatewayFingerprint("a b"))
        #expect(PairingTarget(link).resource == "/gw")
        // There is no certificate for the name of an address, but it is asked over TLS alone as well.
        let address = try PairingLink(parsing: "optaplus://pair?remote=wss://10.0.0.1:3000")
        #expect(PairingTarget(address).transports == .tlsOnly)
        let both = try PairingLink(parsing: "optaplus://pair?host=gw.local&remote=wss://bot.example.com&unknown=1#x")
        #expect(both.place == .host("gw.local", port: 3_000))
        #expect(both.remote?.host == "bot.example.com")
    }

    /// Text that is no valid link is refused with the problem.
    @Test(arguments: [
        ("", PairingLink.Problem.notALink), ("https://pair?host=a", .notALink),
        ("optaplus://pairing?host=a", .notALink),
        ("optaplus://pair", .notALink), ("optaplus://pair?", .noPlace), ("optaplus://pair?port=3000", .noPlace),
        ("optaplus://pair?host=a&host=b", .repeated), ("optaplus://pair?host=a&port=1&\u{301}&port=2", .repeated),
        ("optaplus://pair?host=a&token=\u{301}x&token=y", .repeated), ("optaplus://pair?host=a%2", .malformed),
        ("optaplus://pair?host=a%+1", .malformed), ("optaplus://pair?host=%FF", .malformed),
        ("optaplus://pair?host=a&port=0", .badPort), ("optaplus://pair?host=a&port=65536", .badPort),
        ("optaplus://pair?host=a&port=+1", .badPort), ("optaplus://pair?host=a&port=", .badPort),
        ("optaplus://pair?host=", .badHost), ("optaplus://pair?host=a%20b", .badHost),
        ("optaplus://pair?host=127.1", .badHost), ("optaplus://pair?host=0x7f.1", .badHost),
        ("optaplus://pair?host=2130706433", .badHost), ("optaplus://pair?host=a/b", .badHost),
        ("optaplus://pair?remote=ws://a", .badRemote), ("optaplus://pair?remote=wss://u:p@a", .badRemote),
        ("optaplus://pair?host=a&fp=", .badFingerprint), ("optaplus://pair?host=a&token=", .badToken),
    ])
    func whatIsNoLinkIsRefused(text: String, trouble: PairingLink.Problem) {
        #expect(throws: trouble) { try PairingLink(parsing: text) }
    }

    /// A host name, wherever the user gave it, is one that a certificate may prove; an address is not.
    @Test(
        arguments: [
            ("optaplus://pair?host=gw.example", "gw.example"), ("optaplus://pair?host=10.0.0.2", nil),
            ("optaplus://pair?remote=wss://bot.example/", "bot.example"),
            ("optaplus://pair?remote=wss://10.0.0.2/", nil),
            ("optaplus://pair?host=gw.example&fp=" + String(repeating: "ab", count: 32), "gw.example"),
        ]
    )
    func theHostNameOfALinkMayBeProved(text: String, host: String?) throws {
        #expect(PairingTarget(try PairingLink(parsing: text)).hostName == host)
    }

    /// A link that is too long is refused.
    @Test func aLinkIsBounded() {
        let long = "optaplus://pair?host=a&token=" + String(repeating: "a", count: 3_000)
        #expect(throws: PairingLink.Problem.tooLong) { try PairingLink(parsing: long) }
    }
}
