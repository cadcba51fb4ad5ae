import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// The text of an identifier: each identifier has one of its own, and is read again from it.
@Suite struct GatewayIDTests {
    private static let interfaces = [Samples.eth0, Samples.eth1]

    @Test(arguments: [
        ("fingerprint:abc", GatewayID.fingerprint(Samples.fingerprint("abc"))),
        ("service:Home._openclaw._tcp.local", .candidate(.service(Samples.instance("Home")))),
        ("endpoint:192.168.1.1:3000", .candidate(.endpoint(Samples.endpoint(1)))),
        (
            "claimant:a\\.b:service:Home._openclaw._tcp.local",
            .claimant(Samples.fingerprint("a.b"), .service(Samples.instance("Home")))
        ),
        ("endpoint:192.168.1.1:443/kitchen/", .candidate(.endpoint(Samples.endpoint(1, port: 443, "/kitchen/")))),
        (
            "endpoint:kitchen.example=192.168.1.1:443/a=b",
            .candidate(.endpoint(Samples.endpoint(1, port: 443, "/a=b", named: "kitchen.example")))
        ),
        (
            "claimant:abc:endpoint:192.168.1.1:443/x:endpoint:1",
            .claimant(Samples.fingerprint("abc"), .endpoint(Samples.endpoint(1, port: 443, "/x:endpoint:1")))
        ),
        (
            "claimant:AA:BB:endpoint:192.168.1.1:3000",
            .claimant(Samples.fingerprint("AA:BB"), .endpoint(Samples.endpoint(1)))
        ),
    ])
    func itIsPrintedAndRead(text: String, id: GatewayID) {
        #expect(id.description == text)
        #expect(GatewayID(text) == id)
    }

    /// The text of a claimant is unambiguous although any gateway chooses its fingerprint, which may look like a part
    /// of such a text.
    @Test func noFingerprintPassesForAnotherCandidate() throws {
        let candidate = GatewayCandidate.service(Samples.instance("b:service:c"))
        let ids: [GatewayID] = [
            .claimant(Samples.fingerprint("a"), candidate),
            .claimant(Samples.fingerprint("a:service:b"), .service(Samples.instance("c"))),
            .claimant(Samples.fingerprint("a:service"), .service(Samples.instance("c"))),
        ]
        #expect(Set(ids.map(\.description)).count == ids.count)
        for id in ids { #expect(GatewayID(id.description) == id) }
    }

    /// Each byte of a fingerprint has exactly one escaped form in the text of an identifier, even a byte that a domain
    /// name could not contain.
    @Test(
        arguments: [
            ("a\\.b", Array("a.b".utf8)), ("\\\\", [0x5C]), ("\\032", [0x20]), ("\\000\\255", [0, 0xFF]),
            ("\\1955", [0xC3, 0x35]), ("é", Array("é".utf8)), ("a:b", Array("a:b".utf8)), ("1", [0x31]),
            (String(repeating: "x", count: 128), Array(repeating: 0x78, count: 128)),
        ] as [(String, [UInt8])]
    )
    func anEscapedFingerprintIsRead(text: String, bytes: [UInt8]) throws {
        let fingerprint = try #require(GatewayFingerprint(bytes: bytes))
        let candidate = GatewayCandidate.endpoint(Samples.endpoint(1))
        #expect(GatewayID("fingerprint:\(text)") == .fingerprint(fingerprint))
        #expect(GatewayID("claimant:\(text):endpoint:192.168.1.1:3000") == .claimant(fingerprint, candidate))
    }

    /// An identifier with a link-local address is read only if the interface in it is known.
    @Test func anAddressWithAScopeNeedsItsInterface() throws {
        let address = IPAddress.v6(IPv6Address(bits: 0xFE80 << 112 | 1, scope: Samples.eth1))
        let id = GatewayID.candidate(.endpoint(Endpoint(address: address, port: 3_000)))
        #expect(id.description == "endpoint:[fe80::1%eth1]:3000")
        #expect(GatewayID(id.description) == nil)
        #expect(GatewayID(id.description, interfaces: Self.interfaces) == id)
    }

    /// Text that is not exactly the text of an identifier is refused.
    @Test(arguments: [
        "", "fingerprint:", "fingerprint:\\", "fingerprint:\\999", "fingerprint:\\a", "other:a", "endpoint:1.2.3.4",
        "endpoint:1.2.3.4:", "endpoint:1.2.3.4:+5", "endpoint:1.2.3.4:99999", "endpoint:[1.2.3.4]:5", "claimant:a",
        "claimant::endpoint:1.2.3.4:5", "service:local", "endpoint:::1:5", " fingerprint:a",
        "fingerprint:a\\", "fingerprint:\\1", "fingerprint:\\12", "fingerprint:\\1x", "fingerprint:\\12x",
        "fingerprint:\\256", "fingerprint:\\065", "fingerprint:a.b", "claimant:a\\:endpoint:1.2.3.4:5",
        "claimant:a.b:endpoint:1.2.3.4:5",
        "fingerprint:" + String(repeating: "a", count: 129), "service:" + String(repeating: "a", count: 100_000),
    ])
    func nothingElseIsRead(text: String) {
        #expect(GatewayID(text) == nil)
    }

    /// Random identifiers, with separators and escapes in their fingerprints and names, are read again from their
    /// texts.
    @Test func anyIdentifierIsReadAgain() throws {
        var random = SeededGenerator.forFuzzing("identifiers")
        func bytes(_ limit: Int) -> [UInt8] {
            let pieces: [[UInt8]] = [
                Array(":service:".utf8), Array(":endpoint:".utf8), [0xFF], [0x5C], [0x2E], [0], Array("é".utf8), [0x3A],
            ]
            var all: [UInt8] = [UInt8(ascii: "x")]
            for _ in 0..<Int(random.next() % 8) { all += pieces[Int(random.next() % UInt64(pieces.count))] }
            return Array(all.prefix(limit))
        }
        for _ in 0..<TestCases.count(1_000) {
            let fingerprint = try #require(GatewayFingerprint(bytes: bytes(128)))
            let name = String(validating: bytes(63), as: UTF8.self) ?? "Home"
            let instance = Samples.instance(name)
            let v6 = IPAddress.v6(IPv6Address(bits: UInt128(random.next()) << 64 | 1))
            let candidates: [GatewayCandidate] = [
                .service(instance), .endpoint(Samples.endpoint(UInt8(random.next() % 256))),
                .endpoint(Endpoint(address: v6, port: UInt16(random.next() % 65_536))),
            ]
            let candidate = candidates[Int(random.next() % 3)]
            for id in [GatewayID.fingerprint(fingerprint), .candidate(candidate), .claimant(fingerprint, candidate)] {
                #expect(GatewayID(id.description) == id, "\(id)")
            }
        }
    }
}
