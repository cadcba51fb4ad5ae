import Constellation
import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Agent

/// The gateways that the settings name, as metrics show them.
@Suite struct NamedGatewayTests {
    private var map = BotMap()
    private let first = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0001)), port: 3_000)
    private let second = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0002)), port: 3_000)

    private mutating func answer(at endpoint: Endpoint, as fingerprint: String) {
        _ = map.apply(.endpointAdded(endpoint, .local))
        let identity = GatewayIdentity(fingerprint: GatewayFingerprint(fingerprint), dialect: .optaplus, leaf: nil)
        _ = map.apply(.probed(endpoint, .gateway(identity)))
        _ = map.apply(.liveness(endpoint, .answering))
    }

    private func named(_ texts: [String], besides paired: Set<GatewayID> = []) throws -> [String: Liveness?] {
        let places = try texts.map { NamedPlace(try ProbeAddress($0)) }
        let all = NamedGateway.all(places, in: map.gateways, besides: paired)
        #expect(Set(all.map(\.key)).count == all.count)
        return Dictionary(uniqueKeysWithValues: all.map { ($0.text, $0.liveness) })
    }

    @Test mutating func eachIsThereOnceAndAnswersOrNot() throws {
        answer(at: first, as: "a")
        let texts = ["10.0.0.1:3000", "10.0.0.2:3000", "10.0.0.1:3000"]
        #expect(try named(texts) == ["10.0.0.1:3000": .answering, "10.0.0.2:3000": nil])
        _ = map.apply(.liveness(first, .suspect))
        #expect(try named(["10.0.0.1:3000"]) == ["10.0.0.1:3000": .suspect])
    }

    /// The name from the user is that of the row, and what a gateway calls itself is none.
    @Test mutating func itHasTheNameThatTheUserGave() throws {
        answer(at: first, as: "a")
        answer(at: second, as: "b")
        let alias = GatewayAlias(
            gatewayID: "fingerprint:a",
            fingerprint: GatewayFingerprint("a"),
            leaf: nil,
            name: "Attic"
        )
        _ = map.apply(.aliased([alias]))
        let places = try ["10.0.0.1:3000", "10.0.0.2:3000"].map { NamedPlace(try ProbeAddress($0)) }
        let all = NamedGateway.all(places, in: map.gateways, besides: [])
        #expect(
            all.map(\.alias) == ["Attic", nil]
                && all[0].rows == Set(map.gateways.map(\.id).filter { $0.description == "fingerprint:a" })
        )
    }

    /// One that is paired is shown as that, under another label.
    @Test mutating func aPairedOneIsNotShownTwice() throws {
        answer(at: first, as: "a")
        answer(at: second, as: "b")
        let paired = try #require(map.gateways.first { $0.paths.first?.endpoint == first }).id
        #expect(try named(["10.0.0.1:3000", "10.0.0.2:3000"], besides: [paired]) == ["10.0.0.2:3000": .answering])
    }
}
