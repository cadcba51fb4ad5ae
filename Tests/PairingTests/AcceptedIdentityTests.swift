import DNSSD
import GatewayProtocol
import ReferenceGateway
import Scanning
import Testing

@testable import Pairing

/// The identity that a pairing takes on with a certificate which the user accepts.
@Suite(.timeLimit(.minutes(1))) struct AcceptedIdentityTests {
    private let told = GatewayFingerprint("a label")

    /// Pairs with a gateway that tells a label, and lets the store have what it was before.
    private func with(
        _ body: @escaping @Sendable (PairingCoordinatorTests.House, StoredPairing) async throws -> Void
    ) async throws {
        let label = try #require(told)
        let change: (inout GatewayState) -> Void = { $0.fingerprint = label }
        try await PairingCoordinatorTests().with(change: change) { house in
            let id = try await house.coordinator.pair(house.target) { $0.isQuestion ? .confirm(PairingConsent()) : nil }
            try house.store.update(id) { pairing in
                pairing.fingerprint = GatewayFingerprint("of before")
                pairing.trust =
                    LeafFingerprint(bytes: Array(repeating: 9, count: 32)).map(TrustPolicy.pinned) ?? pairing.trust
            }
            try await body(house, try #require(try house.store.pairing(id)))
        }
    }

    /// It is what is told at the place of the pairing over TLS with this very certificate.
    @Test func itIsWhatTheGatewayTellsWithTheCertificate() async throws {
        try await with { house, pairing in
            let leaf = try #require(house.certificate?.fingerprint)
            #expect(await house.coordinator.certificates(of: pairing).identity(with: leaf) == .told(try #require(told)))
        }
    }

    /// Digits that nobody shows have no identity, and the doubt about them says which are shown.
    @Test func digitsThatNobodyShowsHaveNoIdentity() async throws {
        try await with { house, pairing in
            let other = try PairingSamples.leaf(3)
            let leaf = try #require(house.certificate?.fingerprint)
            let shown = await house.coordinator.certificates(of: pairing)
            #expect(shown.identity(with: other) == nil && shown.leaves == [leaf])
            let doubt = shown.doubt(about: other)
            #expect(doubt.contains("\(leaf)") && doubt.contains("\(other)"), "\(doubt)")
        }
    }

    /// A gateway that is elsewhere by now is asked where the user says it is, and that counts as its place.
    @Test func whereTheUserSaysItIsIsItsPlace() async throws {
        try await with { house, pairing in
            let leaf = try #require(house.certificate?.fingerprint)
            var moved = pairing
            moved.endpoints = [Endpoint(address: house.server.endpoint.address, port: 1)]
            let before = await house.coordinator.certificates(of: moved)
            #expect(before.identity(with: leaf) == nil && before.doubt(about: leaf).contains("nobody shows"))
            let shown = await house.coordinator.certificates(of: moved, at: house.server.endpoint)
            #expect(shown.identity(with: leaf) == .told(try #require(told)))
        }
    }

    /// Behind one front there may be others: what a place tells at which it was long ago is not its fingerprint, unless it
    /// is the one that it had.
    @Test func onlyThePlaceWhereItWasLastTellsAnotherFingerprint() async throws {
        try await with { house, pairing in
            let leaf = try #require(house.certificate?.fingerprint)
            var moved = pairing
            moved.endpoints = [Endpoint(address: house.server.endpoint.address, port: 1), house.server.endpoint]
            #expect(await house.coordinator.certificates(of: moved).identity(with: leaf) == .unknown)
            moved.fingerprint = told
            #expect(await house.coordinator.certificates(of: moved).identity(with: leaf) == .told(try #require(told)))
            // Nor is it taken where the map has seen the certificate.
            let identity = GatewayIdentity(fingerprint: told, dialect: .optaplus, leaf: leaf)
            await house.constellation.apply(.endpointAdded(house.server.endpoint, .local))
            await house.constellation.apply(.probed(house.server.endpoint, .gateway(identity)))
            moved.fingerprint = GatewayFingerprint("of before")
            moved.endpoints = []
            #expect(await house.coordinator.certificates(of: moved).identity(with: leaf) == nil)
        }
    }

    /// Behind one front, another paired gateway may show the same certificate: its identity is not taken.
    @Test func theIdentityOfAnotherPairingIsNotTaken() async throws {
        try await with { house, pairing in
            let leaf = try #require(house.certificate?.fingerprint)
            let other = StoredPairing(
                gatewayID: "fingerprint:other",
                fingerprint: told,
                name: "Other",
                dialect: .optaplus,
                trust: .pinned(leaf),
                endpoints: [],
                pairedAt: 1
            )
            try house.store.insert(other, secrets: [:])
            let identity = await house.coordinator.certificates(of: pairing).identity(with: leaf)
            #expect(identity == .anotherPaired(other) && identity?.fingerprint(of: pairing) == pairing.fingerprint)
        }
    }

    /// A dialect without a question for it is asked nothing.
    @Test func withoutAQuestionNothingIsTold() async throws {
        try await with { house, pairing in
            var openClaw = pairing
            openClaw.dialect = .openClaw
            let leaf = try #require(house.certificate?.fingerprint)
            #expect(await house.coordinator.certificates(of: openClaw).identity(with: leaf) == .untold)
        }
    }
}
