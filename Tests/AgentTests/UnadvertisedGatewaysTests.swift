import DNSSD
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Agent

/// The gateways of this host that the agent advertises by itself: no two advertise one, and no container's address is.
@Suite struct UnadvertisedGatewaysTests {
    private static let own = IPAddress.v4(IPv4Address(bits: 0xC0A8_0105))
    private static let place = Endpoint(address: own, port: 18_789)
    private var map = BotMap()
    private var found = UnadvertisedGateways()
    private let start = ContinuousClock.now

    /// The places at which programs of this host listen.
    private var places: Set<Endpoint> = []

    private mutating func answer(
        at endpoint: Endpoint,
        as fingerprint: String = "a",
        _ source: PlaceSource? = .thisHost
    ) {
        places.insert(endpoint)
        map.apply(.endpointAdded(endpoint, .local, source: source))
        let identity = GatewayIdentity(fingerprint: GatewayFingerprint(fingerprint), dialect: .optaplus, leaf: nil)
        map.apply(.probed(endpoint, .gateway(identity)))
    }

    private mutating func advertise(_ name: String, isOwn: Bool) throws {
        let instance = try ServiceInstance(name: name, type: .openClaw)
        var service = DiscoveredService(instance: instance)
        service.record(
            Sighting(
                instance: instance,
                path: ServicePath(interface: NetworkInterface(index: 1, name: "eth0"), family: .ipv4),
                source: SightingSource(rawValue: "x"),
                resolution: .resolved,
                host: try DomainName(escaped: "h.local"),
                port: Self.place.port,
                addresses: [Self.own],
                isOwn: isOwn
            )
        )
        map.apply(.serviceFound(service))
    }

    private func take(
        _ found: inout UnadvertisedGateways,
        named: Set<UInt16> = [],
        after time: Duration,
        _ generator: inout some RandomNumberGenerator
    ) {
        found.take(map.gateways, found: places, named: named, at: start + time, using: &generator) { $0 == Self.own }
    }

    private mutating func taken(named: Set<UInt16> = [], after time: Duration = .zero) -> [String] {
        var (found, generator) = (found, SystemRandomNumberGenerator())
        take(&found, named: named, after: time, &generator)
        self.found = found
        return found.gateways.values.map(\.address.description)
    }

    /// One that answers where others reach it is advertised; not one on loopback, in a container, or that was named.
    @Test mutating func whatOthersReachIsAdvertised() throws {
        answer(at: Endpoint(address: try #require(IPAddress("127.0.0.1")), port: 3_000), as: "b")
        answer(at: Endpoint(address: try #require(IPAddress("172.17.0.2")), port: 3_000), as: "c", .namespace)
        #expect(taken().isEmpty)
        answer(at: Self.place)
        #expect(taken(named: [18_789]).isEmpty)
        #expect(taken() == ["192.168.1.5:18789"])
        // While it does not answer, its advertiser withdraws it, and goes on asking.
        map.apply(.liveness(Self.place, .gone))
        #expect(taken() == ["192.168.1.5:18789"])
        places.remove(Self.place)
        #expect(taken().isEmpty)
    }

    /// That a gateway is paired or named at its place says nothing of whether others find it.
    @Test mutating func whatIsNamedIsAdvertised() {
        answer(at: Self.place, nil)
        #expect(taken() == ["192.168.1.5:18789"])
    }

    /// A gateway that advertises itself is left to do so: from the start, or as soon as it begins.
    @Test mutating func whatIsAdvertisedIsLeft() throws {
        answer(at: Self.place)
        try advertise("Of a stranger", isOwn: false)
        #expect(taken().count == 1, "another host's record keeps nobody from being found")
        try advertise("Ours", isOwn: true)
        #expect(taken().count == 1)
        try advertise("Its own", isOwn: true)
        #expect(taken().isEmpty)
        map.apply(.serviceLost(try ServiceInstance(name: "Ours", type: .openClaw)))
        #expect(taken().isEmpty)
    }

    /// A gateway that something else has advertised, too, is left alone for a while after that has ended.
    @Test mutating func whatWasAdvertisedIsLeftAWhile() throws {
        answer(at: Self.place)
        #expect(taken().count == 1)
        try advertise("Ours", isOwn: true)
        try advertise("Another agent's", isOwn: true)
        #expect(taken().isEmpty)
        let end = try #require(found.nextEnd)
        #expect(end >= start + .seconds(2) && end <= start + .seconds(30))
        for name in ["Ours", "Another agent's"] {
            map.apply(.serviceLost(try ServiceInstance(name: name, type: .openClaw)))
        }
        #expect(taken(after: .seconds(1)).isEmpty)
        #expect(taken(after: end - start).count == 1 && found.nextEnd == nil)
    }

    /// Two agents of one host see each other's advertisement and withdraw at the same time: one soon advertises alone, and both
    /// leave it at that.
    @Test mutating func ofTwoAgentsOneAdvertises() throws {
        answer(at: Self.place)
        for seed in UInt64(0)..<20 {
            var generator = SeededGenerator(seed: seed)
            var agents = [UnadvertisedGateways(), UnadvertisedGateways()]
            var shown: [[Bool]] = []
            for second in 0..<400 {
                // What has begun or ended is seen two seconds later.
                let seen = shown.dropLast().last ?? [false, false]
                for (isSeen, name) in zip(seen, ["One", "Other"]) {
                    if isSeen {
                        try advertise(name, isOwn: true)
                    } else {
                        map.apply(.serviceLost(try ServiceInstance(name: name, type: .openClaw)))
                    }
                }
                for index in agents.indices { take(&agents[index], after: .seconds(second), &generator) }
                shown.append(agents.map { !$0.gateways.isEmpty })
            }
            let last = Set(shown.suffix(100))
            #expect(last == [[true, false]] || last == [[false, true]], "seed \(seed)")
        }
    }
}
