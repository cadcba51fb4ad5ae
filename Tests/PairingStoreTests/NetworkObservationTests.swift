import DNSSD
import GatewayProtocol
import Testing

@testable import HostSystem
@testable import Pairing

/// The network on the way to an endpoint, derived from data of the kernel.
@Suite struct NetworkObservationTests {
    private static let eth0 = NetworkInterface(index: 2, name: "eth0")
    private static let tun0 = NetworkInterface(index: 3, name: "tun0")
    private static let router: [UInt8] = [2, 0, 0, 0, 0, 1]
    private static let machine: [UInt8] = [2, 0, 0, 0, 0, 9]

    private func address(_ text: String) throws -> IPAddress {
        try #require(IPAddress(text, interfaces: [Self.eth0]))
    }

    private func facts(
        route: Route?,
        defaults: [(router: String?, interface: UInt32, metric: UInt32)] = [("192.168.1.1", 2, 100)],
        neighbours: [String: [UInt8]] = ["192.168.1.1": router, "192.168.1.50": machine]
    ) throws -> NetworkFacts {
        var table = NeighbourTable()
        for (text, hardware) in neighbours {
            table.insert(try #require(HardwareAddress(hardware)), for: try address(text), interface: 2)
        }
        let own = [("192.168.1.2", 24), ("fe80::2%eth0", 64), ("fd00::2", 64)]
        return NetworkFacts(
            interfaces: [
                HostInterface(
                    interface: Self.eth0,
                    flags: [.up, .running, .multicast],
                    addresses: try own.map { InterfaceAddress(address: try address($0.0), prefixLength: $0.1) }
                ),
                HostInterface(
                    interface: Self.tun0,
                    flags: [.up, .running, .pointToPoint],
                    addresses: [InterfaceAddress(address: try address("100.64.0.2"), prefixLength: 32)]
                ),
            ],
            route: route,
            defaults: try defaults.map {
                Route(interface: $0.interface, router: try $0.router.map(address), metric: $0.metric)
            },
            neighbours: table
        )
    }

    private static let onLink = Route(interface: 2, router: nil)

    /// A gateway on the link is identified by its hardware address.
    @Test func aGatewayOnTheLinkIsKnownByItsHardwareAddress() throws {
        let facts = try facts(route: Self.onLink)
        let found = NetworkObservation(to: try address("192.168.1.50"), facts: facts)
        #expect(
            found
                == NetworkObservation(
                    prefix: try address("192.168.1.0"),
                    prefixLength: 24,
                    router: .at(Self.router),
                    gateway: .at(Self.machine)
                )
        )
        #expect(facts.neighbourAddresses(of: try address("192.168.1.50")).count == 2)
    }

    /// A gateway or router without an entry in the kernel's neighbour table is unknown, and not absent.
    @Test func whatTheKernelHasNotReachedIsUnknown() throws {
        let found = NetworkObservation(to: try address("192.168.1.51"), facts: try facts(route: Self.onLink))
        #expect(found?.gateway == .unknown)
        #expect(found?.homeNetwork == nil)
        let silent = try facts(route: Self.onLink, neighbours: [:])
        #expect(NetworkObservation(to: try address("192.168.1.50"), facts: silent)?.router == .unknown)
    }

    /// The network is known in full once no machine on the way is unknown: one that is absent is no gap.
    @Test(arguments: [true, false], [true, false])
    func whatIsUnknownMakesItIncomplete(isRouterKnown: Bool, isGatewayKnown: Bool) throws {
        func observation(_ known: NetworkObservation.Neighbour) throws -> NetworkObservation {
            NetworkObservation(
                prefix: try address("192.168.1.0"),
                prefixLength: 24,
                router: isRouterKnown ? known : .unknown,
                gateway: isGatewayKnown ? known : .unknown
            )
        }
        for known in [NetworkObservation.Neighbour.none, .at(Self.machine)] {
            #expect(try observation(known).isIncomplete != (isRouterKnown && isGatewayKnown))
        }
    }

    /// A routed destination from an unknown address of this host is in the network of an address of its family that more
    /// than one link may have: never in that of a link-local one.
    @Test func aLinkLocalAddressIsNoNetworkOfWhatIsRouted() throws {
        let route = Route(interface: 2, router: try address("fe80::1%eth0"), source: try address("fd00::77"))
        let found = NetworkObservation(to: try address("2001:db8::9"), facts: try facts(route: route))
        #expect(found?.prefix == (try address("fd00::")))
        let routed = Route(interface: 2, router: try address("192.168.1.1"), source: try address("192.168.1.77"))
        let other = NetworkObservation(to: try address("10.9.9.9"), facts: try facts(route: routed))
        #expect(other?.prefix == (try address("192.168.1.0")))
    }

    /// A gateway behind a router has no hardware address on this link.
    @Test func aRoutedGatewayHasNoHardwareAddress() throws {
        let route = Route(interface: 2, router: try address("192.168.1.1"), source: try address("192.168.1.2"))
        let facts = try facts(route: route)
        let found = NetworkObservation(to: try address("10.9.9.9"), facts: facts)
        #expect(found?.prefix == (try address("192.168.1.0")))
        #expect(found?.router == .at(Self.router))
        #expect(found?.gateway == NetworkObservation.Neighbour.none)
        #expect(facts.neighbourAddresses(of: try address("10.9.9.9")) == [try address("192.168.1.1")])
    }

    @Test func aTunnelHasNoHardwareAddresses() throws {
        let route = Route(interface: 3, router: nil, source: try address("100.64.0.2"))
        let found = NetworkObservation(to: try address("100.64.0.9"), facts: try facts(route: route))
        #expect(
            found
                == NetworkObservation(
                    prefix: try address("100.64.0.2"),
                    prefixLength: 32,
                    router: .none,
                    gateway: .none
                )
        )
    }

    /// Addresses of this host are a network of their own.
    @Test(arguments: ["127.0.0.1", "::1", "192.168.1.2", "::ffff:192.168.1.2", "fd00::2"])
    func thisHostIsANetworkOfItsOwn(text: String) throws {
        let facts = try facts(route: Self.onLink)
        #expect(NetworkObservation(to: try address(text), facts: facts) == .ownHost)
        #expect(facts.neighbourAddresses(of: try address(text)).isEmpty)
    }

    /// An address that the kernel routes to this host, although no interface has it, belongs to this host.
    @Test func whatTheKernelKeepsForItselfIsThisHost() throws {
        let route = Route(interface: 1, router: nil, isOwnHost: true)
        #expect(NetworkObservation(to: try address("192.168.1.99"), facts: try facts(route: route)) == .ownHost)
    }

    /// Without a route, or with one over an interface that is gone, nothing is known about the network.
    @Test func withoutARouteNothingIsKnown() throws {
        #expect(NetworkObservation(to: try address("192.168.1.50"), facts: try facts(route: nil)) == nil)
        let gone = Route(interface: 9, router: nil)
        #expect(NetworkObservation(to: try address("192.168.1.50"), facts: try facts(route: gone)) == nil)
    }

    /// The router is the one with the best default route of the link, and the choice among equal ones is always the
    /// same.
    @Test func theRouterIsTheBestOfTheLinkAndAlwaysTheSame() throws {
        let neighbours = [
            "192.168.1.1": Self.router, "192.168.1.9": [2, 0, 0, 0, 0, 2], "fe80::1%eth0": [2, 0, 0, 0, 0, 3],
            "192.168.1.50": Self.machine,
        ]
        func router(
            _ defaults: [(router: String?, interface: UInt32, metric: UInt32)]
        ) throws
            -> NetworkObservation.Neighbour?
        {
            let facts = try facts(route: Self.onLink, defaults: defaults, neighbours: neighbours)
            return NetworkObservation(to: try address("192.168.1.50"), facts: facts)?.router
        }
        #expect(try router([("192.168.1.9", 2, 200), ("192.168.1.1", 2, 100)]) == .at(Self.router))
        #expect(try router([("192.168.1.9", 2, 100), ("192.168.1.1", 2, 100)]) == .at(Self.router))
        #expect(try router([("fe80::1%eth0", 2, 1), ("192.168.1.1", 2, 100)]) == .at(Self.router))
        #expect(try router([("fe80::1%eth0", 2, 1)]) == .at([2, 0, 0, 0, 0, 3]))
        // A router of another link says nothing about this one, and a default route without a router leads into a
        // tunnel.
        #expect(try router([("192.168.1.1", 3, 1), (nil, 2, 1)]) == NetworkObservation.Neighbour.none)
        #expect(try router([]) == NetworkObservation.Neighbour.none)
    }

    @Test func aLinkLocalGatewayIsInTheNetworkOfItsLink() throws {
        let facts = try facts(
            route: Self.onLink,
            neighbours: ["fe80::9%eth0": Self.machine, "192.168.1.1": Self.router]
        )
        let found = NetworkObservation(to: try address("fe80::9%eth0"), facts: facts)
        #expect(found?.prefix == (try address("fe80::")))
        #expect(found?.prefixLength == 64)
        #expect(found?.gateway == .at(Self.machine))
    }

    /// Data of the running system is used as well. Loopback is the only network that every machine has.
    @Test func theSystemIsAsked() async throws {
        #expect(NetworkObservation.current(to: try address("127.0.0.1")) == .ownHost)
        #expect(await NetworkObservation.settled(to: try address("::1")) == .ownHost)
    }
}
