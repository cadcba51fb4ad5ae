import DNSSD
import GatewayClient
import GatewayProtocol
import Synchronization
import Testing

@testable import Pairing

/// The check right before a secret is sent at pairing.
@Suite struct PairingConnectionTests {
    /// A request that waits for an approval is sent again and again, at intervals in which the kernel forgets its router: it
    /// is made to reach that again, as at first, so that a wait does not end in the very network of pairing.
    @Test func theKernelIsMadeToReachItsNeighboursAgain() async throws {
        let isKnown = Mutex(false)
        let forgotten = NetworkObservation(
            prefix: PairingSamples.home.prefix,
            prefixLength: PairingSamples.home.prefixLength,
            router: .unknown,
            gateway: PairingSamples.home.gateway
        )
        let connection = PairingConnection(
            endpoints: [PairingSamples.endpoint],
            transport: .plain,
            policy: .sameAddress(try #require(PairingSamples.home.homeNetwork)),
            fingerprint: nil,
            knownEndpoints: [PairingSamples.endpoint],
            limits: .session,
            time: 0,
            network: { _ in isKnown.withLock(\.self) ? PairingSamples.home : forgotten },
            settledNetwork: { _ in
                isKnown.withLock { $0 = true }
                return PairingSamples.home
            }
        )
        let path = GatewayProbePath(endpoint: PairingSamples.endpoint, leaf: nil)
        for _ in 0..<3 {
            isKnown.withLock { $0 = false }
            try await connection.check(path)
        }
    }

    /// At the end of a tunnel, the tunnel and the machine are looked at again before each sending: another tunnel, another
    /// key, or nobody who says whose the address is ends the pairing.
    @Test func atTheEndOfATunnelItIsCheckedEachTime() async throws {
        let nodes = try ["a1", "b2"].map { try #require(TailnetNode("nodekey:" + String(repeating: $0, count: 32))) }
        let tunnels = ["wg0", "wg1"].map {
            NetworkTunnel(name: $0, kind: .wireguard, address: PairingSamples.endpoint.address)
        }
        @Sendable func network(_ tunnel: NetworkTunnel?, _ node: TailnetNode?) -> NetworkObservation {
            NetworkObservation(
                prefix: PairingSamples.home.prefix,
                prefixLength: 24,
                router: .none,
                gateway: .none,
                tunnel: tunnel,
                node: node
            )
        }
        let cases: [(TrustPolicy, good: NetworkObservation, bad: [NetworkObservation])] = [
            (.tailnet(nodes[0]), network(nil, nodes[0]), [network(nil, nodes[1]), network(nil, nil)]),
            (.tunnel(tunnels[0]), network(tunnels[0], nil), [network(tunnels[1], nil), network(nil, nil)]),
        ]
        for (policy, good, bad) in cases {
            let present = Mutex(good)
            let connection = PairingConnection(
                endpoints: [PairingSamples.endpoint],
                transport: .plain,
                policy: policy,
                fingerprint: nil,
                knownEndpoints: [PairingSamples.endpoint],
                limits: .session,
                time: 0,
                // The kernel does not know machines of a tailnet.
                network: { _ in present.withLock { network($0.tunnel, nil) } },
                settledNetwork: { _ in present.withLock(\.self) }
            )
            let path = GatewayProbePath(endpoint: PairingSamples.endpoint, leaf: nil)
            try await connection.check(path)
            for other in bad {
                present.withLock { $0 = other }
                await #expect(throws: PairingError.self) { try await connection.check(path) }
            }
            present.withLock { $0 = good }
            try await connection.check(path)
        }
    }
}
