import GatewayProtocol
import Testing

@Suite struct GatewayFingerprintTests {
    @Test func isComparedByteForByte() throws {
        #expect(GatewayFingerprint("ABC") != GatewayFingerprint("abc"))
        #expect(GatewayFingerprint("a:b") != GatewayFingerprint("ab"))
        #expect(GatewayFingerprint("caf\u{E9}") != GatewayFingerprint("cafe\u{301}"))
    }

    @Test func hasOneTo128Bytes() {
        #expect(GatewayFingerprint("") == nil)
        #expect(GatewayFingerprint(String(repeating: "x", count: 128)) != nil)
        #expect(GatewayFingerprint(String(repeating: "x", count: 129)) == nil)
    }

    @Test func needsToBeNoText() throws {
        let fingerprint = try #require(GatewayFingerprint(bytes: [0xFF, 0x61]))
        #expect(fingerprint.text == nil)
        #expect(fingerprint.description == "\u{FFFD}a")
        #expect(try #require(GatewayFingerprint("a")) < fingerprint)
    }
}
