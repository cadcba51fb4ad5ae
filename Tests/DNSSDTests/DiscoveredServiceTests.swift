import DNSSD
import Testing

@Suite struct DiscoveredServiceTests {
    private let instance: ServiceInstance
    private let eth0 = ServicePath(interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4)
    private let eth1 = ServicePath(interface: NetworkInterface(index: 3, name: "eth1"), family: .ipv4)

    init() throws {
        instance = try ServiceInstance(name: "Home", type: ServiceType("_openclaw._tcp"))
    }

    private func sighting(_ path: ServicePath, _ resolution: Resolution = .resolved, port: UInt16? = 1) -> Sighting {
        Sighting(instance: instance, path: path, source: .avahi, resolution: resolution, port: port)
    }

    @Test func aPathThatFailsGivesWayToOneThatIsResolved() {
        var service = DiscoveredService(instance: instance)
        service.record(sighting(eth0, port: 1))
        service.record(sighting(eth1, port: 2))
        #expect(service.port == 2)
        service.record(sighting(eth1, .failed(reason: "gone"), port: nil))
        #expect(service.port == 1)
        #expect(service.resolution == .resolved)
    }

    /// The resolved sighting that was recorded last determines the properties of the service.
    @Test func whatCameLastHolds() {
        var service = DiscoveredService(instance: instance)
        service.record(sighting(eth0, port: 1))
        service.record(sighting(eth1, port: 1))
        service.record(sighting(eth0, port: 2))
        #expect(service.port == 2)
        service.forget(eth0)
        #expect(service.port == 1)
    }

    @Test func anAddressOnOneMorePathIsAChangeOfPaths() {
        var service = DiscoveredService(instance: instance)
        service.record(sighting(eth0))
        service.record(sighting(eth1, .resolving, port: nil))
        let before = service
        service.record(sighting(eth1))
        #expect(service.aspects(changedSince: before) == [.paths])
        service.record(sighting(eth1, port: 2))
        #expect(service.aspects(changedSince: before) == [.paths, .port])
    }

    /// Paths that come and go on either side of the leading one leave it the leading one: the service would be asked at the
    /// port of another path.
    @Test func theLeadingPathStaysWhateverComesAndGoesBesideIt() {
        let eth2 = ServicePath(interface: NetworkInterface(index: 4, name: "eth2"), family: .ipv4)
        var service = DiscoveredService(instance: instance)
        service.record(sighting(eth1, port: 2))
        service.record(sighting(eth0, .resolving, port: 1))
        service.record(sighting(eth2, .resolving, port: 3))
        #expect(service.paths == [eth0, eth1, eth2])
        #expect(service.port == 2)
        #expect(service.sightings[eth2]?.port == 3)
        service.forget(eth0)
        #expect(service.port == 2)
        service.forget(eth2)
        #expect(service.port == 2)
        service.forget(eth1)
        #expect(service.port == nil && service.sightings.isEmpty)
    }
}
