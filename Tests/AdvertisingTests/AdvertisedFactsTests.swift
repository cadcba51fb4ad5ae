import DNSSD
import GatewayProtocol
import Testing

@testable import Advertising

@Suite struct AdvertisedFactsTests {
    private static func strings(_ facts: AdvertisedFacts, reachable: Bool = true) throws -> [String] {
        Samples.strings(try facts.txtRecord(name: "Studio", port: 4_000, isDirectlyReachable: reachable))
    }

    /// The TXT record has the keys that the gateways of each dialect publish.
    @Test func eachDialectHasItsKeys() throws {
        let leaf = try Samples.leaf(0xAB)
        let digits = String(repeating: "ab", count: 32)
        #expect(
            try Self.strings(Samples.facts(leaf: leaf)) == [
                "fp=abc", "name=Studio", "bots=1", "ver=3", "port=4000", "gatewayTls=1", "gatewayTlsSha256=\(digits)",
            ]
        )
        #expect(
            try Self.strings(AdvertisedFacts(dialect: .openClaw, leaf: leaf)) == [
                "role=gateway", "transport=gateway", "gatewayPort=4000", "displayName=Studio", "gatewayTls=1",
                "gatewayTlsSha256=\(digits)", "gatewayDirectReachable=1",
            ]
        )
        #expect(
            try Self.strings(AdvertisedFacts(dialect: .openClaw), reachable: false) == [
                "role=gateway", "transport=gateway", "gatewayPort=4000", "displayName=Studio",
            ]
        )
        #expect(
            try Self.strings(AdvertisedFacts(dialect: .bridge, leaf: leaf)) == [
                "role=gateway", "transport=bridge", "bridgePort=4000", "displayName=Studio", "bridgeTls=1",
                "bridgeTlsSha256=\(digits)",
            ]
        )
        #expect(try Self.strings(AdvertisedFacts(dialect: .openAgents)).isEmpty)
    }

    /// A TXT record that is written can be read by the reader that browsers use.
    @Test(arguments: GatewayDialect.allCases)
    func whatIsWrittenIsRead(dialect: GatewayDialect) throws {
        let facts = AdvertisedFacts(dialect: dialect, name: "Studio", leaf: try Samples.leaf(7))
        let type = dialect.serviceType ?? .openClaw
        let instance = try ServiceInstance(name: facts.instanceName("Studio"), type: type)
        let txt = try facts.txtRecord(name: "Studio", port: 4_000, isDirectlyReachable: true)
        let read = GatewayAdvertisement(instance: instance, txt: txt)
        #expect(read.problems.isEmpty)
        #expect(read.name == "Studio")
        if dialect == .openClaw { #expect(read.directlyReachable == true && read.tls?.isEnabled == true) }
    }

    @Test(arguments: [
        ("My \"Home\"", "My 'Home'"), ("a\u{1B}[31m\u{85}b", "a [31m b"), ("Jarvis 🤖", "Jarvis 🤖"),
    ])
    func namesAreMadePublishable(said: String, published: String) {
        #expect(Samples.facts(name: said).name == published)
    }

    @Test(arguments: ["", "  ", "\u{0}\u{1}"])
    func aNameThatShowsNothingIsNone(said: String) {
        #expect(Samples.facts(name: said).name == nil)
    }

    /// The TXT record stays below 400 bytes even with the longest values, because answers to old resolvers are limited
    /// to 512 bytes.
    @Test func theRecordStaysUnder400Bytes() throws {
        let long = AdvertisedFacts(
            dialect: .optaplus,
            fingerprint: GatewayFingerprint(String(repeating: "f", count: 128)),
            name: String(repeating: "🦞", count: 100),
            bots: 9_999,
            leaf: try Samples.leaf(1)
        )
        let name = try #require(long.name)
        #expect(name.utf8.count == 60)
        let txt = try long.txtRecord(name: name, port: 65_535, isDirectlyReachable: true)
        #expect(try txt.encoded().count < 400)
        #expect(AdvertisedFacts(dialect: .openClaw).instanceName(name).utf8.count <= 63)
    }

    /// A number of bots that readers would not accept is left out.
    @Test func moreBotsThanReadersTakeAreNotCounted() throws {
        #expect(try Self.strings(Samples.facts(bots: 10_000)).contains { $0.hasPrefix("bots") } == false)
    }

    /// Keys whose values only the gateway itself states cannot be added by configuration.
    @Test(arguments: ["fp=x", "GATEWAYPORT=1", "gatewayDirectReachable=1"])
    func whatTheGatewaySaysCannotBeAdded(entry: String) throws {
        var configuration = Samples.configuration()
        let parts = entry.split(separator: "=").map(String.init)
        try configuration.additions.set(parts[1], forKey: parts[0])
        let error = #expect(throws: BackendError.self) { try configuration.validate() }
        #expect(error?.code == .invalid)
    }
}
