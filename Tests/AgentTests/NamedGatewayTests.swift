import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Agent
@testable import Pairing

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

    private func named(
        _ texts: [String],
        besides paired: PairedGateways = PairedGateways()
    ) throws -> [String: Liveness?] {
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

    /// A host without a port is one, until gateways have answered at its ports; then these are, and no other port is ever told
    /// as gone. One that an earlier run has seen is missed.
    @Test mutating func aHostIsThereWhereGatewaysAre() throws {
        let places = NamedPlace.all(try ProbeAddress(orHost: "10.0.0.1"))
        func texts(_ holders: [String: Occupant] = [:]) -> [String] {
            NamedGateway.all(places, in: map.gateways, besides: PairedGateways(), holders: holders).map(\.text)
        }
        #expect(texts() == ["10.0.0.1"])
        answer(at: Endpoint(address: first.address, port: 18_789), as: "b")
        #expect(texts() == ["10.0.0.1:18789"])
        let identity = GatewayIdentity(fingerprint: GatewayFingerprint("a"), dialect: .optaplus, leaf: nil)
        let holder = Occupant(identity, at: first, machine: nil)
        #expect(texts(["endpoint:10.0.0.1:3000": holder]) == ["10.0.0.1:3000", "10.0.0.1:18789"])
        answer(at: first, as: "a")
        #expect(texts() == ["10.0.0.1:3000", "10.0.0.1:18789"])
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
        let all = NamedGateway.all(places, in: map.gateways, besides: PairedGateways())
        #expect(
            all.map(\.alias) == ["Attic", nil]
                && all[0].rows == Set(map.gateways.map(\.id).filter { $0.description == "fingerprint:a" })
        )
    }

    /// What is paired, at a place: a gateway with a fingerprint.
    private static func paired(_ fingerprint: String, at endpoint: Endpoint) -> PairedGateways {
        var paired = PairedGateways()
        let pairing = StoredPairing(
            gatewayID: "fingerprint:\(fingerprint)",
            fingerprint: GatewayFingerprint(fingerprint),
            name: "Home",
            dialect: .optaplus,
            trust: .certified(host: "home.example"),
            endpoints: [endpoint],
            pairedAt: 1
        )
        _ = paired.take([pairing], network: { _ in nil })
        return paired
    }

    /// One that is paired is shown as that, under another label; also while nothing answers at its place.
    @Test mutating func aPairedOneIsNotShownTwice() throws {
        answer(at: first, as: "a")
        answer(at: second, as: "b")
        for paired in [Self.paired("a", at: first), Self.paired("none", at: first)] {
            #expect(try named(["10.0.0.1:3000", "10.0.0.2:3000"], besides: paired) == ["10.0.0.2:3000": .answering])
        }
    }

    /// A place at which the row of a paired gateway has not answered is none of that, though the row shows it.
    @Test mutating func aPlaceThatHasNotAnsweredIsNotThePairedOnes() throws {
        let type = try ServiceType(name: "openclaw")
        let instance = try ServiceInstance(name: "Home", type: type)
        var service = DiscoveredService(instance: instance)
        var sighting = Sighting(
            instance: instance,
            path: ServicePath(interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4),
            source: SightingSource(rawValue: "fake"),
            resolution: .resolved
        )
        sighting.host = try DomainName(labels: [Array("home".utf8), Array("local".utf8)])
        sighting.port = 3_000
        sighting.addresses = [first.address, second.address]
        service.record(sighting)
        _ = map.apply(.serviceFound(service))
        answer(at: first, as: "a")
        #expect(map.gateways.contains { $0.paths.map(\.endpoint) == [first, second] }, "\(map.gateways)")
        let found = try named(["10.0.0.2:3000"], besides: Self.paired("a", at: first))
        #expect(Array(found.keys) == ["10.0.0.2:3000"])
    }
}
