import DNSSD
import Testing

@testable import HostSystem
@testable import Reports

/// The knowledge of a host about the ways to others, from its interfaces, routes, neighbours and sockets.
@Suite struct HostFactsTests {
    private static func interface(
        _ name: String,
        _ index: UInt32,
        _ address: String,
        _ length: Int,
        flags: InterfaceFlags = [.up, .running, .multicast]
    ) throws -> HostInterface {
        HostInterface(
            interface: NetworkInterface(index: index, name: name),
            flags: flags,
            addresses: [InterfaceAddress(address: try #require(IPAddress(address)), prefixLength: length)]
        )
    }

    private static func host(listeners: [Endpoint] = []) throws -> HostFacts {
        var neighbours = NeighbourTable()
        let hardware = try #require(HardwareAddress([2, 0, 0, 0, 0, 1]))
        neighbours.insert(hardware, for: try #require(IPAddress("10.0.0.2")), interface: 2)
        return HostFacts(
            interfaces: [
                try interface("lo", 1, "127.0.0.1", 8, flags: [.up, .running, .loopback]),
                try interface("eth0", 2, "10.0.0.1", 24), try interface("docker0", 3, "192.168.77.1", 24),
                try interface("tun0", 4, "10.8.0.2", 24, flags: [.up, .running, .pointToPoint]),
            ],
            neighbours: neighbours,
            listeners: listeners,
            hasRoute: { $0 != IPAddress("192.0.2.1") }
        )
    }

    @Test(arguments: [
        ("127.0.0.1", PlaceFacts.Neighbour.ownHost), ("10.0.0.1", .ownHost), ("10.0.0.2", .known),
        ("10.0.0.3", .unknown), ("10.8.0.1", .beyond), ("203.0.113.1", .beyond), ("192.0.2.1", .noRoute),
    ])
    func theMachineAtAnAddress(_ address: String, _ expected: PlaceFacts.Neighbour) throws {
        #expect(try Self.host().neighbour(at: try #require(IPAddress(address))) == expected)
    }

    @Test(arguments: [
        ("192.168.77.9", true), ("172.17.0.1", true), ("10.88.1.1", true), ("172.18.0.1", false), ("10.0.0.2", false),
    ])
    func networksOfContainers(_ address: String, _ expected: Bool) throws {
        #expect(try Self.host().isOfContainers(try #require(IPAddress(address))) == expected)
    }

    /// Only the address of the bridge itself tells its interface.
    @Test(arguments: [("192.168.77.1", "docker0"), ("192.168.77.9", nil), ("10.0.0.1", nil), ("172.17.0.1", nil)])
    func interfacesOfContainers(_ address: String, _ expected: String?) throws {
        #expect(try Self.host().containerInterface(of: try #require(IPAddress(address))) == expected)
    }

    /// A LAN that happens to use the network of containers is a LAN.
    @Test func aLANIsNoNetworkOfContainers() throws {
        let host = HostFacts(
            interfaces: [try Self.interface("eth0", 2, "172.17.0.5", 16)],
            neighbours: NeighbourTable(),
            listeners: [],
            hasRoute: { _ in true }
        )
        #expect(!host.isOfContainers(try #require(IPAddress("172.17.0.1"))))
        #expect(host.hasNetwork)
    }

    @Test func listenersAreThoseOfThisHostAndPort() throws {
        let sockets = [Samples.endpoint("127.0.0.1"), Samples.endpoint("0.0.0.0", port: 1)]
        let host = try Self.host(listeners: sockets)
        #expect(host.listeners(at: Samples.endpoint("10.0.0.1")) == [sockets[0]])
        #expect(host.listeners(at: Samples.endpoint("10.0.0.2")).isEmpty)
    }
}
