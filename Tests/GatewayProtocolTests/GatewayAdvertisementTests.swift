import DNSSD
import TestSupport
import Testing

@testable import GatewayProtocol

@Suite struct GatewayAdvertisementTests {
    private func read(
        _ pairs: [(String, String)],
        instance: String = "Studio (OpenClaw)"
    ) throws -> GatewayAdvertisement {
        let instance = try ServiceInstance(name: instance, type: .openClaw)
        return GatewayAdvertisement(instance: instance, txt: try TXTRecord(pairs))
    }

    @Test func readsTheContract() throws {
        let advertisement = try read([("fp", "abc123"), ("name", "Home Gateway"), ("bots", "3"), ("ver", "3")])
        #expect(advertisement.fingerprint == GatewayFingerprint("abc123"))
        #expect(advertisement.name == "Home Gateway")
        #expect(advertisement.bots == 3)
        #expect(advertisement.version == 3)
        #expect(advertisement.tls == nil)
        #expect(advertisement.problems.isEmpty)
    }

    @Test func readsAReleasedGateway() throws {
        let digest = String(repeating: "AB:", count: 31) + "AB"
        let advertisement = try read([
            ("role", "gateway"), ("transport", "gateway"), ("gatewayPort", "18789"), ("lanHost", "openclaw.local"),
            ("displayName", "Studio Mac"), ("gatewayTls", "1"), ("gatewayTlsSha256", "sha256:\(digest)"),
            ("gatewayDirectReachable", "YES"),
        ])
        #expect(advertisement.fingerprint == nil)
        #expect(advertisement.name == "Studio Mac")
        #expect(advertisement.role == "gateway")
        #expect(advertisement.transport == "gateway")
        #expect(advertisement.tls == TLSHint(isEnabled: true, sha256: String(repeating: "ab", count: 32)))
        #expect(advertisement.directlyReachable == true)
        #expect(advertisement.problems.isEmpty)
    }

    @Test func readsABridge() throws {
        let advertisement = try read([("transport", "bridge"), ("bridgeTls", "true"), ("displayName", "Old")])
        #expect(advertisement.tls == TLSHint(isEnabled: true))
        #expect(advertisement.transport == "bridge")
    }

    @Test func aCertificateWithoutAFlagMeansTLS() throws {
        let digest = String(repeating: "0f ", count: 32)
        #expect(try read([("bridgeTlsSha256", digest)]).tls?.isEnabled == true)
        #expect(try read([("bridgeTlsSha256", digest), ("bridgeTls", "0")]).tls?.isEnabled == false)
    }

    /// Without a name in the TXT record, the instance name is used, without the name of the product.
    @Test(arguments: [
        ("Studio (OpenClaw)", "Studio"),
        ("Studio (Clawdbot)", "Studio"),
        ("Studio (OpenClaw) (2)", "Studio (2)"),
        ("Studio (OpenClaw) #2", "Studio #2"),
        ("Studio (Clawdbot) (13)", "Studio (13)"),
        ("Studio (2)", "Studio (2)"),
        ("Studio (2) (OpenClaw)", "Studio (2)"),
        ("Studio (OpenClaw) (x)", "Studio (OpenClaw) (x)"),
        ("Studio (OpenClaw) ()", "Studio (OpenClaw) ()"),
        ("Studio(OpenClaw)", "Studio(OpenClaw)"),
        (" (OpenClaw)", " (OpenClaw)"),
        ("(OpenClaw) (2)", "(OpenClaw) (2)"),
        ("2", "2"),
        (")", ")"),
    ])
    func instanceNameStandsInWithoutTheProduct(instance: String, name: String) throws {
        #expect(try read([], instance: instance).name == name)
        #expect(try read([("name", ""), ("displayName", "  ")], instance: instance).name == name)
    }

    @Test func nameGoesBeforeDisplayName() throws {
        #expect(try read([("displayName", "b"), ("name", "a")]).name == "a")
    }

    /// A malformed value is reported as a problem, and does not affect other values.
    @Test(arguments: [
        ("bots", "three"), ("bots", "-1"), ("bots", "+1"), ("bots", "10000"), ("bots", "1e3"), ("bots", " 1"),
        ("bots", "99999999999999999999"), ("ver", "3.1"), ("ver", "1234567890"), ("ver", "３"),
        ("gatewayTls", "maybe"), ("gatewayTlsSha256", "abc"),
        ("gatewayTlsSha256", String(repeating: "g", count: 64)),
        ("bridgeTlsSha256", String(repeating: "a", count: 65)),
        ("gatewayDirectReachable", "2"), ("fp", String(repeating: "f", count: 129)),
        ("role", String(repeating: "r", count: 65)),
    ])
    func aMalformedValueIsAProblemAndNoMore(key: String, value: String) throws {
        let advertisement = try read([(key, value), ("name", "Home")])
        #expect(advertisement.name == "Home")
        #expect(advertisement.problems.map(\.key) == [key])
        #expect(advertisement.bots == nil)
        #expect(advertisement.version == nil)
        #expect(advertisement.tls == nil)
        #expect(advertisement.fingerprint == nil)
    }

    @Test(arguments: ["fp", "bots", "ver", "gatewayTls", "gatewayTlsSha256", "gatewayDirectReachable", "role", "name"])
    func emptyIsAbsent(key: String) throws {
        #expect(try read([(key, "")]) == read([]))
    }

    @Test func aNameThatIsNoUTF8IsAProblem() throws {
        var txt = try TXTRecord([("displayName", "Fallback")])
        try txt.set([0xFF, 0x1B], forKey: "name")
        let instance = try ServiceInstance(name: "x", type: .openClaw)
        let advertisement = GatewayAdvertisement(instance: instance, txt: txt)
        #expect(advertisement.name == "Fallback")
        #expect(advertisement.problems.map(\.key) == ["name"])
    }

    @Test func problemsAreSafeToPrint() throws {
        let value = "\u{1B}]0;x\u{7}" + String(repeating: "9", count: 200)
        let problem = try #require(try read([("bots", value)]).problems.first)
        #expect(problem.found.hasPrefix("\u{FFFD}]0;x\u{FFFD}9"))
        #expect(problem.found.count == 48)
        #expect(problem.description.hasPrefix("TXT bots: expected a whole number from 0 to 9999, found"))
    }

    @Test func writesTheSampleOfTheContract() throws {
        let record = try GatewayAdvertisement.txtRecord(
            fingerprint: GatewayFingerprint("abc123"),
            name: "Home Gateway",
            bots: 3,
            version: 3
        )
        let sample = "\u{9}fp=abc123\u{11}name=Home Gateway\u{6}bots=3\u{5}ver=3"
        #expect(try record.encoded() == Array(sample.utf8))
        #expect(sample.utf8.count == 41)
        #expect(try GatewayAdvertisement.txtRecord(fingerprint: nil, name: nil) == TXTRecord())
    }

    @Test func aNameThatDoesNotFitIsRefused() {
        let name = String(repeating: "x", count: 251)
        #expect(throws: DNSSDError.self) {
            try GatewayAdvertisement.txtRecord(fingerprint: nil, name: name)
        }
    }

    /// Any TXT record can be read: the name is never empty, and the number of problems is limited.
    @Test func anyRecordGivesAnAdvertisement() throws {
        var random = SeededGenerator.forFuzzing("advertisements")
        let valid = try TXTRecord([
            ("fp", "a"), ("name", "b"), ("bots", "3"), ("ver", "1"), ("gatewayTls", "1"), ("role", "gateway"),
            ("gatewayTlsSha256", String(repeating: "a", count: 64)), ("gatewayDirectReachable", "1"),
        ]).encoded()
        let instance = try ServiceInstance(name: "x", type: .openClaw)
        for _ in 0..<TestCases.count(10_000) {
            let txt = TXTRecord(decoding: random.mutate(valid))
            let advertisement = GatewayAdvertisement(instance: instance, txt: txt)
            #expect(!advertisement.name.isEmpty)
            #expect(advertisement.problems.count <= 12)
        }
    }
}
