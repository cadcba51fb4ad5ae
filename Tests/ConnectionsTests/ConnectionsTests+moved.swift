import DNSSD
import GatewayClient
import GatewayProtocol
import Scanning
import Synchronization
import TestSupport
import Testing

@testable import Pairing

/// Gateways without TLS, whose network is part of the proof.
extension ConnectionsTests {
    /// At the end of a tunnel, the tunnel and the machine are looked at again before the token is sent: where another tunnel
    /// leads there by then, another machine has the address, or the tailnet's service is silent, nothing is sent.
    @Test(arguments: [true, false]) func anotherTunnelOrMachineGetsNothing(isTailnet: Bool) async throws {
        let nodes = try ["a1", "b2"].map { try #require(TailnetNode("nodekey:" + String(repeating: $0, count: 32))) }
        let tunnels = ["wg0", "wg1"].map { NetworkTunnel(name: $0, kind: .wireguard, address: elsewhere.address) }
        @Sendable func present(_ tunnel: NetworkTunnel?, _ node: TailnetNode?) -> NetworkObservation {
            NetworkObservation(
                prefix: .v4(IPv4Address(bits: 0x0A00_0000)),
                prefixLength: 24,
                router: .none,
                gateway: .none,
                tunnel: tunnel,
                node: node
            )
        }
        let good = isTailnet ? present(nil, nodes[0]) : present(tunnels[0], nil)
        let bad = (isTailnet ? [present(nil, nodes[1])] : [present(tunnels[1], nil)]) + [present(nil, nil)]
        try store.update(pairing.id) { $0.trust = isTailnet ? .tailnet(nodes[0]) : .tunnel(tunnels[0]) }
        let now = Mutex(good)
        let network: @Sendable (IPAddress) -> NetworkObservation? = { _ in now.withLock(\.self) }
        try await running(in: network) { connections in
            await constellation.apply(answer(at: endpoint, nil))
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(attempt.call.path.transport == .plain)
            #expect(await attempt.isPermitted(.plain))
            for other in bad {
                now.withLock { $0 = other }
                #expect(await !attempt.isPermitted(.plain))
            }
            #expect(await !attempt.open(.plain))
            await wait(for: connections) { $0 == .moved(isTailnet ? .unknownNode : .tunnel) }
        }
    }

    /// A session through a tunnel says that nobody is proved at its other end; one over a tailnet has nothing to say.
    @Test(arguments: [true, false]) func aTunnelIsFlagged(isTailnet: Bool) async throws {
        let node = try #require(TailnetNode("nodekey:" + String(repeating: "a1", count: 32)))
        let tunnel = NetworkTunnel(name: "wg0", kind: .wireguard, address: elsewhere.address)
        let observation = NetworkObservation(
            prefix: .v4(IPv4Address(bits: 0x0A00_0000)),
            prefixLength: 24,
            router: .none,
            gateway: .none,
            tunnel: isTailnet ? nil : tunnel,
            node: isTailnet ? node : nil
        )
        try store.update(pairing.id) { $0.trust = isTailnet ? .tailnet(node) : .tunnel(tunnel) }
        let network: @Sendable (IPAddress) -> NetworkObservation? = { _ in observation }
        try await running(in: network) { connections in
            await constellation.apply(answer(at: endpoint, nil))
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(try await attempt.connect(.plain) == Secret("t0ken"))
            await wait(for: connections) { $0.isConnected }
            let reason = await connections.sessions.first?.reason
            #expect(isTailnet ? reason == nil : reason?.contains("tunnel wg0") == true)
        }
    }

    /// A gateway without TLS whose address another machine has taken is connected again once its own machine answers
    /// there, although nothing else of its row changes: no session connects there in between, so that the answer alone
    /// shows the kernel's new neighbour.
    @Test func anAnswerOfItsOwnMachineEndsAMove() async throws {
        let atHome = NetworkObservation(
            prefix: .v4(IPv4Address(bits: 0x0A00_0000)),
            prefixLength: 24,
            router: .at([2, 0, 0, 0, 0, 1]),
            gateway: .at([2, 0, 0, 0, 0, 2])
        )
        let taken = NetworkObservation(
            prefix: atHome.prefix,
            prefixLength: 24,
            router: atHome.router,
            gateway: .at([2, 0, 0, 0, 0, 9])
        )
        let home = try #require(atHome.homeNetwork)
        try store.update(pairing.id) { $0.trust = .sameAddress(home) }
        let now = Mutex(taken)
        let network: @Sendable (IPAddress) -> NetworkObservation? = { _ in now.withLock { $0 } }
        try await running(in: network) { connections in
            await constellation.apply(answer(at: endpoint, nil))
            await wait(for: connections) { $0 == .moved(.machine) }
            now.withLock { $0 = atHome }
            await constellation.apply([.liveness(endpoint, .answering, roundTrip: .milliseconds(3))])
            var attempts = dialer.makeAttempts()
            while let attempt = await attempts.next() {
                if try await attempt.connect(.plain) != nil { break }
                attempt.fail()
            }
            await wait(for: connections) { $0.isConnected }
        }
    }
}
