import DNSSD
import Foundation
import GRDB
import GatewayProtocol
import ReferenceGateway
import Scanning
import Testing

@testable import Pairing

/// Work that is to be done at a gateway is first written in the store: the bin is also the outbox.
extension PairingCoordinatorTests {
    private func pairConsenting(_ house: House) async throws -> PairingID {
        try await house.coordinator.pair(house.target) { $0.isQuestion ? .confirm(PairingConsent()) : nil }
    }

    /// Makes a change of the store's database fail from now on, like a disk that is full.
    private func refuse(_ change: String, _ house: House) throws {
        try DatabaseQueue(path: house.location.database).write { db in
            try db.execute(
                sql:
                    "CREATE TRIGGER refusal BEFORE UPDATE ON pairing WHEN \(change) BEGIN SELECT RAISE(ABORT, 'full'); END"
            )
        }
    }

    private func permit(_ house: House) throws {
        try DatabaseQueue(path: house.location.database).write { try $0.execute(sql: "DROP TRIGGER refusal") }
    }

    /// A store that cannot be written to keeps its pairing at the gateway, too: otherwise it would list a pairing whose
    /// tokens are worth nothing.
    @Test func whatCannotBeWrittenHereIsNotToldThere() async throws {
        try await with { house in
            let id = try await self.pairConsenting(house)
            try self.refuse("new.binnedAt IS NOT NULL", house)
            let error = await #expect(throws: PairingError.self) { try await house.coordinator.unpair(id) }
            #expect(error?.code == .notStored)
            #expect(await house.server.state.pairings.count == 2)
            #expect(try house.store.pairings().map(\.id) == [id])
        }
    }

    /// A gateway that is elsewhere by now is told of an unpairing there, even if that place cannot be written down.
    @Test(arguments: [true, false]) func whereTheGatewayIsItIsTold(canBeWritten: Bool) async throws {
        try await with { house in
            let id = try await self.pairConsenting(house)
            let before = Endpoint(address: house.server.endpoint.address, port: 1)
            try house.store.update(id) { $0.endpoints = [before] }
            let pairing = try #require(try house.store.pairing(id))
            if !canBeWritten {
                try await DatabaseQueue(path: house.location.database).write { db in
                    try db.execute(
                        sql: "CREATE TRIGGER refusal BEFORE INSERT ON endpoint BEGIN SELECT RAISE(ABORT, 'full'); END"
                    )
                }
            }
            var map = BotMap()
            let identity = GatewayIdentity(
                fingerprint: pairing.fingerprint,
                dialect: .optaplus,
                leaf: house.certificate?.fingerprint
            )
            _ = map.apply(.endpointAdded(house.server.endpoint, .local))
            _ = map.apply(.probed(house.server.endpoint, .gateway(identity)))
            #expect(try await house.coordinator.unpair(id, seenIn: map.gateways) == .withdrawn)
            #expect(await house.server.state.pairings.isEmpty)
            let places = canBeWritten ? [house.server.endpoint, before] : [before]
            #expect(try house.store.bin().first?.pairing.endpoints == places)
        }
    }

    /// An unpairing that was cut off, after the gateway was told and before that was recorded, is told once more and
    /// done then.
    @Test func anUnpairingThatWasCutOffGoesOn() async throws {
        try await with { house in
            let id = try await self.pairConsenting(house)
            try self.refuse("new.binReason = 'withdrawn'", house)
            #expect(try await house.coordinator.unpair(id) == .withdrawn)
            #expect(await house.server.state.pairings.isEmpty)
            let item = try #require(try house.store.bin().first)
            #expect(item.reason == .unpaired(withdrawnThere: false))
            try self.permit(house)
            #expect(try await house.coordinator.withdraw(item) == .withdrawn)
            #expect(try house.store.bin().map(\.reason) == [.unpaired(withdrawnThere: true)])
        }
    }

    /// A grant that is not kept is withdrawn, and leaves nothing here.
    @Test func aGrantThatIsNotKeptLeavesNothing() async throws {
        try await with { house in
            let id = try await self.pairConsenting(house)
            let pairing = try #require(try house.store.pairing(id))
            let (grant, attempt) = try self.grant(house, pairing)
            try house.store.moveToBin(id, reason: .forgotten, at: 1)
            #expect(await house.coordinator.withdraw(grant, attempt))
            #expect(await house.server.state.pairings.isEmpty)
            #expect(try house.store.bin().map(\.reason) == [.forgotten])
        }
    }

    /// A grant that is not kept while its gateway is away is written down with its tokens, and withdrawn when the
    /// gateway is there again, under the identifier that it knows.
    @Test func aGrantThatIsNotKeptIsWithdrawnLater() async throws {
        try await with { house in
            let id = try await self.pairConsenting(house)
            let pairing = try #require(try house.store.pairing(id))
            let (grant, attempt) = try self.grant(house, pairing, at: PairingSamples.endpoint)
            try house.store.moveToBin(id, reason: .forgotten, at: 1)
            #expect(await house.coordinator.withdraw(grant, attempt) == false)
            let item = try #require(try house.store.bin().first { $0.reason == .unpaired(withdrawnThere: false) })
            #expect(item.pairing.credentials.map(\.deviceID) == pairing.credentials.map(\.deviceID))
            #expect(await house.server.state.pairings.count == 2)
            #expect(try await house.coordinator.withdraw(item, at: [house.server.endpoint]) == .withdrawn)
            #expect(await house.server.state.pairings.isEmpty)
        }
    }

    /// Returns the grant that a pairing was made of, as one that is not to be kept.
    private func grant(
        _ house: House,
        _ pairing: StoredPairing,
        at endpoint: Endpoint? = nil
    ) throws -> (PairingGrant, PairingAttempt) {
        let offer = PairingOffer(
            gatewayID: .fingerprint(try #require(pairing.fingerprint)),
            name: pairing.name,
            dialect: .optaplus,
            fingerprint: pairing.fingerprint,
            bots: [],
            endpoint: endpoint ?? house.server.endpoint,
            leaf: house.certificate?.fingerprint,
            network: nil
        )
        let grant = PairingGrant(
            bots: pairing.bots.map { BotDescription(id: $0.id, name: $0.name) },
            tokens: try pairing.credentials.map { credential in
                let secret = try house.store.secret(of: credential.id, in: pairing.id)
                return PairingGrant.Token(bots: credential.bots, secret: secret, scopes: [])
            }
        )
        return (grant, PairingAttempt(offer: offer, policy: pairing.trust, bots: .all))
    }

    /// A row that somebody has changed leads a request to unpair nowhere, since that request names this device: the
    /// receiver could repeat it at the right gateway.
    @Test func aForgedPlaceIsNotToldOfAnUnpairing() async throws {
        try await with { house in
            let id = try await self.pairConsenting(house)
            try await DatabaseQueue(path: house.location.database).write { db in
                try db.execute(sql: "UPDATE pairing SET resource = '/other'")
            }
            guard case .onlyHere(let reason) = try await house.coordinator.unpair(id) else {
                Issue.record("a place was told that somebody else has written")
                return
            }
            #expect(reason.contains(id.description))
            #expect(await house.server.state.pairings.count == 2)
        }
    }

    // MARK: The identifier of this device

    /// A gateway knows this device by an identifier of its own, and another gateway by another one.
    @Test func eachGatewayKnowsThisDeviceByAnIdentifierOfItsOwn() async throws {
        try await with { house in
            let id = try await self.pairConsenting(house)
            let known = Set(try #require(try house.store.pairing(id)).credentials.map(\.deviceID))
            #expect(known.count == 1 && !known.contains(house.store.device.id))
            #expect(Set(await house.server.state.pairings.map(\.deviceID)) == known)
            let leaf = try PairingSamples.leaf(9)
            let other = PairingAttempt(offer: try PairingSamples.offer(leaf: leaf), policy: .pinned(leaf), bots: .all)
            #expect(!known.contains(try house.coordinator.deviceID(house.store.device, for: other)))
        }
    }

    /// A pairing of an earlier version keeps the identifier that its gateway knows, when it gets more bots and when it
    /// ends.
    @Test func anOldPairingKeepsTheIdentifierThatItsGatewayKnows() async throws {
        try await with { house in
            let old = house.store.device.id
            let id = try await self.pairConsenting(house)
            // As if it had been paired under the one identifier for all.
            let known = try #require(try house.store.pairing(id)?.credentials.first?.deviceID)
            #expect(try await house.coordinator.unpair(id) == .withdrawn)
            try house.store.restore(id)
            try house.store.update(id) { pairing in
                for index in pairing.credentials.indices { pairing.credentials[index].deviceID = old }
            }
            #expect(try await self.pairConsenting(house) == id)
            #expect(Set(await house.server.state.pairings.map(\.deviceID)) == [old])
            #expect(try await house.coordinator.unpair(id) == .withdrawn)
            #expect(await house.server.state.pairings.isEmpty)
            #expect(known != old)
        }
    }
}
