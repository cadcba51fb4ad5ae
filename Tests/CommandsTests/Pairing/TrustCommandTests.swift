import DNSSD
import GatewayProtocol
import PairingStore
import Testing

@testable import Commands

/// Consent to a gateway that proves nothing is given to a place that the user has named or seen.
@Suite(.timeLimit(.minutes(1))) struct TrustCommandTests {
    private func plain() throws -> StoredPairing {
        let home = HomeNetwork(
            prefix: try #require(IPAddress("10.0.0.0")),
            prefixLength: 24,
            router: [2, 0, 0, 0, 0, 1],
            gateway: [2, 0, 0, 0, 0, 2]
        )
        return try Pairings.pairing("Old Pad", id: "c", fingerprint: "fp-pad", trust: .sameAddress(home))
    }

    /// At the addresses that it had before there is whoever has them by now.
    @Test(arguments: [PlainTrust.address, .lan])
    func placesBeforeAreTrustedNoMore(extent: PlainTrust) throws {
        var pairing = try plain()
        guard case .sameAddress(let home) = pairing.trust else { throw CancellationError() }
        let place = Endpoint(address: try #require(IPAddress("10.0.0.9")), port: 3_000)
        let change = TrustChange(policy: extent.policy(home), endpoint: place)
        change.apply(to: &pairing)
        #expect(pairing.endpoints == [place])
        #expect(pairing.trust == extent.policy(home))
        #expect(change.text.hasPrefix(" at 10.0.0.9:3000: no TLS"))
    }

    @Test func aNewCertificateLeavesThePlaces() throws {
        var pairing = try plain()
        let before = pairing.endpoints
        TrustChange(policy: .pinned(try #require(LeafFingerprint(String(repeating: "5f", count: 32))))).apply(
            to: &pairing
        )
        #expect(pairing.endpoints == before)
    }

    @Test func whereNobodyCanBeAskedThePlaceIsNamed() async throws {
        try await StoreOfTool.with([try plain()]) { store in
            let result = try await store.run(["trust", "Old Pad", "--trust", "address", "--timeout", "0.2"])
            #expect(result.status == 64)
            #expect(result.errors.contains("--address"))
        }
    }
}
