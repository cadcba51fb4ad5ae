import DNSSD
import GatewayClient
import GatewayProtocol
import Synchronization
import Testing
import Trust

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
}
