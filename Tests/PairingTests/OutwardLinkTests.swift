import DNSSD
import GatewayProtocol
import Testing

@testable import Pairing

/// Links to paired gateways for other devices: no secret is in them, and what they name is read back.
@Suite struct OutwardLinkTests {
    private static func pairing(
        _ dialect: GatewayDialect,
        _ endpoints: [String],
        fingerprint: GatewayFingerprint? = nil,
        remote: String? = nil,
        trust: TrustPolicy? = nil
    ) throws -> StoredPairing {
        let pinned = try #require(LeafFingerprint(bytes: Array(repeating: 1, count: 32)))
        return StoredPairing(
            gatewayID: "g",
            fingerprint: fingerprint,
            name: "Home",
            dialect: dialect,
            trust: trust ?? .pinned(pinned),
            endpoints: try endpoints.map { Endpoint(address: try #require(IPAddress($0)), port: 3_000) },
            remoteURL: remote,
            pairedAt: 1
        )
    }

    @Test(arguments: ["10.0.0.2", "fd00::1"]) func anOptaplusLinkIsReadBack(_ address: String) throws {
        let fingerprint = try #require(GatewayFingerprint("a b&c=%ü"))
        let pairing = try Self.pairing(.optaplus, [address], fingerprint: fingerprint, remote: "wss://bot.example/a")
        let link = try PairingLink(parsing: try OutwardLink(pairing).text)
        #expect(link.place == .endpoints(pairing.endpoints))
        #expect(link.remote?.description == "wss://bot.example/a")
        #expect(link.fingerprint == fingerprint && link.token == nil)
        let away = try Self.pairing(.optaplus, ["127.0.0.1"], remote: "wss://bot.example/a")
        let remote = try PairingLink(parsing: try OutwardLink(away).text)
        #expect(remote.place == .remote(try #require(GatewayURL("wss://bot.example/a"))))
    }

    @Test func anOpenClawGatewayIsNamedByItsAddress() throws {
        #expect(try OutwardLink(Self.pairing(.openClaw, ["10.0.0.2"])).text == "wss://10.0.0.2:3000")
        let home = HomeNetwork(prefix: .v4(IPv4Address(bits: 0)), prefixLength: 8, router: [], gateway: nil)
        let plain = try Self.pairing(.openClaw, ["10.0.0.2"], trust: .lan(home))
        #expect(try OutwardLink(plain).text == "ws://10.0.0.2:3000")
        #expect(try OutwardLink(Self.pairing(.openClaw, [], remote: "wss://a.example")).text == "wss://a.example")
    }

    /// A certificate for a host name is worth nothing to a device that knows only an address.
    @Test func aCertifiedGatewayIsNamedByItsHost() throws {
        let trust = TrustPolicy.certified(host: "bot.example")
        let claw = try Self.pairing(.openClaw, ["10.0.0.2"], trust: trust)
        #expect(try OutwardLink(claw).text == "wss://bot.example:3000")
        let pairing = try Self.pairing(.optaplus, ["10.0.0.2"], remote: "wss://away.example", trust: trust)
        let link = try PairingLink(parsing: try OutwardLink(pairing).text)
        #expect(link.place == .remote(try #require(GatewayURL("wss://bot.example:3000"))))
    }

    /// An address that no other device reaches makes no link, nor does one outside of this network that proves nothing.
    @Test(arguments: [["127.0.0.1", "::1"], ["203.0.113.1"]])
    func addressesOfNoUseAreNone(_ addresses: [String]) throws {
        for dialect in [GatewayDialect.optaplus, .openClaw] {
            #expect(throws: OutwardLink.Problem.noAddress) {
                try OutwardLink(try Self.pairing(dialect, addresses))
            }
        }
        #expect(throws: OutwardLink.Problem.dialect) { try OutwardLink(try Self.pairing(.bridge, ["10.0.0.2"])) }
    }
}
