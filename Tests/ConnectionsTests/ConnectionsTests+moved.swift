import Constellation
import DNSSD
import GatewayProtocol
import PairingStore
import Synchronization
import TestSupport
import Testing
import Trust

@testable import Connections

/// Gateways without TLS, whose network is part of the proof.
extension ConnectionsTests {
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
