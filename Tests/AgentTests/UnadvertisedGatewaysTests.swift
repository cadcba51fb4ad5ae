import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Agent

/// The gateways of this host that the agent advertises by itself: no two advertise one, and no container's address is.
@Suite struct UnadvertisedGatewaysTests {
    private static let own = IPAddress.v4(IPv4Address(bits: 0xC0A8_0105))
    private static let place = Endpoint(address: own, port: 18_789)
    private var map = BotMap()
    private var found = UnadvertisedGateways()

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

    private mutating func taken(named: Set<UInt16> = []) -> [String] {
        found.take(map.gateways, found: places, named: named) { $0 == Self.own }
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
}
