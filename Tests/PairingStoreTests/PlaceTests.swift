import DNSSD
import GatewayProtocol
import Testing

@testable import PairingStore

/// The paths of endpoints: behind one front, each may be another gateway.
@Suite struct PlaceTests {
    private func endpoint(_ last: UInt32, _ resource: String = "/") -> Endpoint {
        Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0000 | last)), port: 443, resource: resource)
    }

    private func pairing(_ trust: TrustPolicy, _ endpoints: [Endpoint], resource: String? = nil) throws -> StoredPairing
    {
        var pairing = try StoredPairing.sample()
        pairing.trust = trust
        pairing.endpoints = endpoints
        pairing.resource = resource ?? endpoints.first?.resource ?? "/"
        return pairing
    }

    private func plain() throws -> TrustPolicy {
        .sameAddress(HomeNetwork(prefix: endpoint(0).address, prefixLength: 24, router: [1], gateway: [2]))
    }

    /// Each endpoint is stored with a path of its own, and its tokens open.
    @Test func eachEndpointKeepsItsPath() async throws {
        try await StoreFolder.with { folder in
            let stored = try pairing(try plain(), [endpoint(1, "/attic/"), endpoint(1), endpoint(2, "/bath/")])
            try folder.open().insert(stored, secrets: stored.sampleSecrets)
            let store = try folder.open()
            #expect(try store.pairing(stored.id)?.endpoints == stored.endpoints)
            for (id, secret) in stored.sampleSecrets { #expect(try store.secret(of: id, in: stored.id) == secret) }
            try store.update(stored.id) { $0.noteVerified(at: endpoint(1, "/attic/new")) }
            #expect(try store.pairing(stored.id)?.endpoints.first == endpoint(1, "/attic/new"))
            for (id, secret) in stored.sampleSecrets { #expect(try store.secret(of: id, in: stored.id) == secret) }
        }
    }

    /// The endpoints of an earlier version have the path of their pairing, whose tokens still open, and so has the
    /// identifier of a gateway that is known by its endpoint.
    @Test(arguments: [true, false]) func anEarlierStoreIsRead(isPlain: Bool) async throws {
        try await StoreFolder.with { folder in
            let leaf = try #require(LeafFingerprint(bytes: Array(repeating: 1, count: 32)))
            var stored = try pairing(isPlain ? try plain() : .pinned(leaf), [endpoint(1, "/attic/")])
            stored.gatewayID = "endpoint:10.0.0.1:443"
            try folder.open().insert(stored, secrets: stored.sampleSecrets)
            try folder.revertToPathsOfPairings()
            let store = try folder.open()
            let read = try #require(try store.pairing(stored.id))
            #expect(read.endpoints == [endpoint(1, "/attic/")])
            #expect(read.gatewayID == "endpoint:10.0.0.1:443/attic/")
            for (id, secret) in stored.sampleSecrets { #expect(try store.secret(of: id, in: stored.id) == secret) }
        }
    }

    /// The user who trusts a gateway without TLS at its address has consented to one path there.
    @Test func consentToAnAddressIsConsentToOnePath() throws {
        let network = NetworkObservation(
            prefix: endpoint(0).address,
            prefixLength: 24,
            router: .at([1]),
            gateway: .at([2])
        )
        func decision(_ place: Endpoint) throws -> TrustDecision {
            let known = [endpoint(1, "/attic/")]
            return try plain().decision(
                for: TrustAttempt(shown: .plain, endpoint: place, knownEndpoints: known, network: network)
            )
        }
        #expect(try decision(endpoint(1, "/attic/")) == .allowed)
        #expect(try decision(endpoint(1, "/bath/")) == .moved(.address))
        #expect(try decision(endpoint(1)) == .moved(.address))
    }
}
