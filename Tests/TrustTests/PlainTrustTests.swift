import DNSSD
import GatewayProtocol
import Testing

/// The ways to trust a gateway without TLS, by what distinguishes its network from others.
@Suite struct PlainTrustTests {
    private static let router: [UInt8] = [2, 0, 0, 0, 0, 1]
    private static let machine: [UInt8] = [2, 0, 0, 0, 0, 9]
    private static let node = TailnetNode("nodekey:" + String(repeating: "a1", count: 32))

    private func network(
        router: NetworkObservation.Neighbour = .none,
        gateway: NetworkObservation.Neighbour = .none,
        tunnel: NetworkTunnel? = nil,
        node: TailnetNode? = nil
    ) throws -> NetworkObservation {
        NetworkObservation(
            prefix: try #require(IPAddress("10.0.0.0")),
            prefixLength: 24,
            router: router,
            gateway: gateway,
            tunnel: tunnel,
            node: node
        )
    }

    private func tunnel() throws -> NetworkTunnel {
        NetworkTunnel(name: "wg0", kind: .wireguard, address: try #require(IPAddress("10.8.0.2")))
    }

    /// No token goes unencrypted to an address that is not of the user's own networks, whatever the network allows.
    @Test(arguments: PlainTrust.allCases) func aPublicPlaceIsTrustedInNoWay(way: PlainTrust) throws {
        let network = try network(router: .at(Self.router), gateway: .at(Self.machine))
        for text in ["203.0.113.9", "2001:db8::1", "169.254.169.254"] {
            let place = Endpoint(address: try #require(IPAddress(text)), port: 18_789)
            #expect(way.decision(for: .openClaw, at: place, in: network) == .publicPlace)
        }
        let near = Endpoint(address: try #require(IPAddress("10.0.0.9")), port: 18_789)
        #expect(PlainTrust.address.decision(for: .openClaw, at: near, in: network) != .publicPlace)
    }

    /// Each network allows the ways by which the gateway is told from another one at its address, and no others. One token for
    /// all devices goes to one place alone.
    @Test func aNetworkAllowsWhatDistinguishesIt() throws {
        let cases: [(NetworkObservation, GatewayDialect, [PlainTrust])] = [
            (try network(router: .at(Self.router), gateway: .at(Self.machine)), .openClaw, [.address, .lan]),
            (try network(router: .at(Self.router), gateway: .at(Self.machine)), .openAgents, [.address]),
            (try network(gateway: .at(Self.machine)), .openClaw, [.address]),
            (try network(router: .at(Self.router), gateway: .unknown), .openClaw, []),
            (.ownHost, .openClaw, [.address, .lan]), (try network(), .openClaw, []),
            (try network(tunnel: tunnel()), .openClaw, [.tunnel]),
            (try network(tunnel: tunnel(), node: Self.node), .openClaw, [.tailnet]),
        ]
        for (network, dialect, choices) in cases {
            #expect(network.plainChoices(for: dialect) == choices)
            for way in PlainTrust.allCases {
                let isAllowed = if case .allowed = way.decision(for: dialect, in: network) { true } else { false }
                #expect(isAllowed == choices.contains(way))
            }
        }
    }

    /// No token goes in clear to what only a DNS zone leads to: whoever writes the zone could send it anywhere. A tailnet says
    /// which machine has the address, whoever named that.
    @Test(arguments: PlainTrust.allCases) func whatOnlyAZoneLeadsToIsTrustedByATailnetAlone(way: PlainTrust) throws {
        let networks = [
            try network(router: .at(Self.router), gateway: .at(Self.machine)), try network(tunnel: tunnel()), .ownHost,
        ]
        for network in networks {
            #expect(network.plainChoices(for: .openClaw, isFromZoneAlone: true).isEmpty)
            #expect(way.decision(for: .openClaw, in: network, isFromZoneAlone: true) == .zoneAlone)
        }
        #expect(way.decision(for: .openClaw, in: nil, isFromZoneAlone: true) == .zoneAlone)
        let tailnet = try network(tunnel: tunnel(), node: Self.node)
        let expected =
            way == .tailnet ? PlainTrustDecision.allowed(.tailnet(try #require(Self.node))) : .otherwise([.tailnet])
        #expect(way.decision(for: .openClaw, in: tailnet, isFromZoneAlone: true) == expected)
    }

    /// Whoever may not trust it in a way is told why, and which ways there are.
    @Test func aWayThatIsNotAllowedHasAReason() throws {
        let full = try network(router: .at(Self.router), gateway: .at(Self.machine))
        let home = try #require(full.homeNetwork)
        let cases: [(PlainTrust, GatewayDialect, NetworkObservation?, PlainTrustDecision)] = [
            (.address, .openClaw, full, .allowed(.sameAddress(home))), (.lan, .openClaw, full, .allowed(.lan(home))),
            (.lan, .openAgents, full, .otherwise([.address])),
            (.tunnel, .openClaw, full, .otherwise([.address, .lan])),
            (.lan, .openClaw, try network(gateway: .at(Self.machine)), .noRouter),
            (.lan, .openClaw, try network(tunnel: tunnel()), .otherwise([.tunnel])),
            (.tunnel, .openClaw, try network(tunnel: tunnel()), .allowed(.tunnel(try tunnel()))),
            (.tailnet, .openClaw, try network(node: Self.node), .allowed(.tailnet(try #require(Self.node)))),
            (.tailnet, .openClaw, try network(), .unknownNode), (.address, .openClaw, try network(), .indistinct),
            (.address, .openClaw, nil, .unknownNetwork),
            (.tailnet, .openClaw, try network(router: .unknown), .unknownNetwork),
        ]
        for (way, dialect, network, decision) in cases {
            #expect(way.decision(for: dialect, in: network) == decision, "\(way) \(decision)")
        }
    }
}
