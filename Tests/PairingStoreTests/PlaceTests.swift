import DNSSD
import GatewayProtocol
import Testing

@testable import Pairing

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

    private func home() -> HomeNetwork {
        HomeNetwork(prefix: endpoint(0).address, prefixLength: 24, router: [1], gateway: [2])
    }

    private func plain() -> TrustPolicy { .sameAddress(home()) }

    private func leaf() throws -> LeafFingerprint {
        try #require(LeafFingerprint(bytes: Array(repeating: 1, count: 32)))
    }

    /// A session that was established before the user narrowed the trust to one address brings no other address back. Those
    /// that the pairing has may change places.
    @Test func aNarrowedPairingTakesNoOtherPlace() async throws {
        try await StoreFolder.with { folder in
            let stored = try pairing(plain(), [endpoint(1), endpoint(2)])
            let store = try folder.open()
            try store.insert(stored, secrets: stored.sampleSecrets)
            try store.noteConnected([stored.id: ConnectionNote(time: 7, endpoint: endpoint(3))])
            #expect(try store.pairing(stored.id)?.endpoints == [endpoint(1), endpoint(2)])
            try store.noteConnected([stored.id: ConnectionNote(time: 8, endpoint: endpoint(2))])
            #expect(try store.pairing(stored.id)?.endpoints == [endpoint(2), endpoint(1)])
            try store.update(stored.id) { $0.trust = .lan(home()) }
            try store.noteConnected([stored.id: ConnectionNote(time: 9, endpoint: endpoint(3))])
            #expect(try store.pairing(stored.id)?.endpoints.contains(endpoint(3)) == true)
        }
    }

    /// Each endpoint is stored with a path of its own, and its tokens open.
    @Test func eachEndpointKeepsItsPath() async throws {
        try await StoreFolder.with { folder in
            let stored = try pairing(plain(), [endpoint(1, "/attic/"), endpoint(1), endpoint(2, "/bath/")])
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
            var stored = try pairing(isPlain ? plain() : .pinned(try leaf()), [endpoint(1, "/attic/")])
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

    /// A gateway that is trusted by the certificate of its host name was named so in an earlier version, too. A host that
    /// is no name of a place could never be proved; the pairing is still read.
    @Test(arguments: [("Attic.Example.", "attic.example"), ("my_gw", nil), ("-a..b", nil)] as [(String, String?)])
    func theNameOfACertifiedHostIsThatOfItsPlaces(host: String, name: String?) async throws {
        try await StoreFolder.with { folder in
            let places = [endpoint(1, "/attic/"), endpoint(2, "/attic/")]
            let stored = try pairing(.certified(host: host), places)
            try folder.open().insert(stored, secrets: stored.sampleSecrets)
            try folder.revertToPathsOfPairings()
            let read = try #require(try folder.open().pairing(stored.id))
            #expect(read.endpoints.map(\.serverName?.description) == [name, name])
            #expect(read.endpoints.map(\.unnamed) == stored.endpoints.map(\.unnamed))
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
            return plain().decision(
                for: TrustAttempt(shown: .plain, endpoint: place, knownEndpoints: known, network: network)
            )
        }
        #expect(try decision(endpoint(1, "/attic/")) == .allowed)
        #expect(try decision(endpoint(1, "/bath/")) == .moved(.address))
        #expect(try decision(endpoint(1)) == .moved(.address))
    }

    // MARK: What it tells

    /// A peer that tells another fingerprint than that of the pairing, or none, gets nothing, however it is trusted:
    /// its certificate may be that of a front with several gateways behind it, and its address anybody's.
    @Test func aGatewayWithAnotherFingerprintGetsNothing() throws {
        let (own, foreign) = (GatewayFingerprint("abc"), GatewayFingerprint("ABC"))
        func pairing(_ dialect: GatewayDialect, _ fingerprint: GatewayFingerprint?) throws -> StoredPairing {
            StoredPairing(
                gatewayID: "fp",
                fingerprint: fingerprint,
                name: "Home",
                dialect: dialect,
                trust: .pinned(try leaf()),
                endpoints: [endpoint(50)],
                pairedAt: 0
            )
        }
        let paired = try pairing(.optaplus, own)
        #expect(paired.fingerprintToTell == own)
        #expect(paired.terms.decision(told: own) == .allowed)
        #expect(paired.terms.decision(told: foreign) == .moved(.gateway))
        #expect(paired.terms.decision(told: nil) == .moved(.gateway))
        // Nothing is asked, and everything allowed, where there is nothing to compare with, or no question for it.
        for pairing in [try pairing(.optaplus, nil), try pairing(.openClaw, own)] {
            #expect(pairing.fingerprintToTell == nil)
            #expect(pairing.terms.decision(told: foreign) == .allowed)
        }
    }

    // MARK: Places

    /// The place of a pairing that trusts any address of a network stays the first, whoever was taken for the gateway
    /// elsewhere: nothing proved it. Every other pairing prefers the place where it was verified last.
    @Test func thePlaceOfThePairingKeepsItsRank() throws {
        let places = (50...52).map { endpoint($0) }
        func pairing(_ trust: TrustPolicy) -> StoredPairing {
            StoredPairing(
                gatewayID: "fp",
                name: "Home",
                dialect: .optaplus,
                trust: trust,
                endpoints: [places[0]],
                pairedAt: 0
            )
        }
        var lan = pairing(.lan(home()))
        for place in [places[1], places[2], places[1], places[0]] { lan.noteVerified(at: place) }
        #expect(lan.endpoints == [places[0], places[1], places[2]])
        #expect(lan.place == places[0])
        #expect(places.map(lan.isElsewhere) == [false, true, true])
        for number in 100..<120 { lan.noteVerified(at: endpoint(UInt32(number))) }
        #expect(lan.endpoints.count == StoreLimits.endpoints)
        #expect(lan.endpoints.prefix(2) == [places[0], endpoint(119)])

        var pinned = pairing(.pinned(try leaf()))
        for place in [places[1], places[2], places[1]] { pinned.noteVerified(at: place) }
        #expect(pinned.endpoints == [places[1], places[2], places[0]])
        #expect(pinned.place == nil)
        #expect(!places.contains(where: pinned.isElsewhere))
    }
}
