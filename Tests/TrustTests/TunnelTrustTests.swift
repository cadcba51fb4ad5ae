import DNSSD
import GatewayProtocol
import Testing

/// The decisions about gateways without TLS at the end of a tunnel: what is not the machine or the tunnel of pairing gets
/// nothing.
@Suite struct TunnelTrustTests {
    private static let keys = ["a1", "b2"].map { "nodekey:" + String(repeating: $0, count: 32) }

    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    private func tunnel(_ name: String = "wg0", own: String = "10.8.0.2") throws -> NetworkTunnel {
        NetworkTunnel(name: name, kind: .wireguard, address: try address(own))
    }

    private func network(_ tunnel: NetworkTunnel? = nil, node: TailnetNode? = nil) throws -> NetworkObservation {
        NetworkObservation(
            prefix: try address("10.8.0.0"),
            prefixLength: 24,
            router: .none,
            gateway: .none,
            tunnel: tunnel,
            node: node
        )
    }

    private func decision(
        _ policy: TrustPolicy,
        in network: NetworkObservation?,
        at text: String = "10.8.0.1",
        port: UInt16 = 3_000,
        known: String = "10.8.0.1"
    ) throws -> TrustDecision {
        policy.decision(
            for: TrustAttempt(
                shown: .plain,
                endpoint: Endpoint(address: try address(text), port: port),
                knownEndpoints: [Endpoint(address: try address(known), port: 3_000)],
                network: network
            )
        )
    }

    /// The machine of pairing gets the token at its address; another key, or nobody who says whose the address is, ends it.
    @Test func onlyTheMachineOfPairingIsTrusted() throws {
        let (own, other) = (try #require(TailnetNode(Self.keys[0])), try #require(TailnetNode(Self.keys[1])))
        let policy = TrustPolicy.tailnet(own)
        #expect(try decision(policy, in: network(node: own)) == .allowed)
        #expect(try decision(policy, in: network(node: other)) == .moved(.node))
        #expect(try decision(policy, in: network()) == .moved(.unknownNode))
        #expect(try decision(policy, in: network(tunnel())) == .moved(.unknownNode))
        #expect(try decision(policy, in: nil) == .moved(.unknownNode))
        #expect(try decision(policy, in: network(node: own), at: "10.8.0.9") == .moved(.address))
        #expect(try decision(policy, in: network(node: own), port: 3_001) == .moved(.address))
        #expect(policy.isPlain)
    }

    /// What the tailnet's service says counts for the network of that moment alone: where another one leads there when the
    /// token is about to be sent, nobody has said whose the address is.
    @Test func theWordOfTheServiceIsNotThatOfAnotherNetwork() throws {
        let own = try #require(TailnetNode(Self.keys[0]))
        let asked = try network(node: own)
        let policy = TrustPolicy.tailnet(own)
        #expect(try decision(policy, in: network().at(nodeOf: asked)) == .allowed)
        let elsewhere = NetworkObservation(
            prefix: try address("10.8.0.0"),
            prefixLength: 16,
            router: .at([1, 2, 3, 4, 5, 6]),
            gateway: .none
        )
        #expect(try decision(policy, in: elsewhere.at(nodeOf: asked)) == .moved(.unknownNode))
        #expect(try decision(policy, in: network().at(nodeOf: nil)) == .moved(.unknownNode))
    }

    /// The tunnel of pairing leads to the token's receiver; another one with the same addresses does not, whatever differs.
    @Test func onlyTheTunnelOfPairingIsTrusted() throws {
        let policy = TrustPolicy.tunnel(try tunnel())
        #expect(try decision(policy, in: network(tunnel())) == .allowed)
        #expect(try decision(policy, in: network(tunnel("wg1"))) == .moved(.tunnel))
        #expect(try decision(policy, in: network(tunnel(own: "10.8.0.3"))) == .moved(.tunnel))
        #expect(try decision(policy, in: network()) == .moved(.tunnel))
        #expect(try decision(policy, in: nil) == .moved(.tunnel))
        #expect(try decision(policy, in: network(tunnel()), at: "10.8.0.9") == .moved(.address))
        #expect(policy.isPlain)
    }

    /// A tunnel does not make a public address one to which tokens go in clear.
    @Test func aPublicAddressGetsNothingInClear() throws {
        let node = try #require(TailnetNode(Self.keys[0]))
        let place = "203.0.113.5"
        for policy in [TrustPolicy.tailnet(node), .tunnel(try tunnel())] {
            let network = try network(tunnel(), node: node)
            #expect(try decision(policy, in: network, at: place, known: place) == .refused(.publicAddress))
        }
    }

    /// Nothing but WireGuard's interfaces is a tunnel that a name tells from others.
    @Test(arguments: ["tun", "tap", "ipip", "gre", "veth", ""]) func noOtherKindHasAName(kind: String) {
        #expect(NetworkTunnel.Kind(rawValue: kind) == nil)
    }

    @Test(arguments: [
        "", "nodekey:", "nodekey:a1", "mkey:" + String(repeating: "a1", count: 32),
        "nodekey:" + String(repeating: "A1", count: 32), "nodekey:" + String(repeating: "a1", count: 33),
    ])
    func otherTextsAreNoKeys(text: String) {
        #expect(TailnetNode(text) == nil)
    }
}
