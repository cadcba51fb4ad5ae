import DNSSD
import GatewayProtocol
import ReferenceGateway
import Testing

@testable import Pairing

/// An import beside what the store has already: pairings that are trusted, and pairings in the bin.
@Suite(.timeLimit(.minutes(1))) struct MigratedTrustTests {
    private func list(_ hosts: [(number: Int, host: String)]) throws -> OlderBotList {
        let entries = hosts.map { BotMigrationTests.entry($0.number, #""host":"\#($0.host)""#) }
        let list = try OlderBotList(parsing: Array("[\(entries.joined(separator: ",\n"))]".utf8))
        try #require(list.bots.count == hosts.count, "\(list.refused)")
        return list
    }

    /// Imported tokens go where the user was told, whatever wider trust another pairing with the same gateway has.
    @Test func trustInAnotherPairingIsNotTakenOver() async throws {
        try await PairingCoordinatorTests().with(tls: false) { house in
            let paired = try await house.coordinator.pair(house.target) {
                $0.isQuestion ? .confirm(PairingConsent(plainTrust: .lan)) : nil
            }
            let list = try self.list([(1, "ws://\(house.server.endpoint)")])
            #expect(try house.store.insert(house.store.plan(list.bots, at: 5)).isEmpty)
            let awaiting = try #require(try house.store.pairings().first { $0.awaitsTrust })
            #expect(awaiting.id != paired)
            let offer = try await house.coordinator.look(at: awaiting)
            #expect(offer.pairing == nil && offer.isPlain)
            let error = await #expect(throws: PairingError.self) {
                try await house.coordinator.accept(offer, for: awaiting)
            }
            #expect(error?.code == .trustNotChosen)
            try await house.coordinator.accept(offer, for: awaiting, plainTrust: .address)
            let accepted = try #require(try house.store.pairing(awaiting.id))
            let home = try #require(offer.network?.homeNetwork)
            #expect(accepted.trust == .sameAddress(home))
            #expect(try house.store.pairing(paired)?.trust == .lan(home))
            // Whoever decides otherwise later, about what awaits trust no more, is told so.
            let late = await #expect(throws: PairingError.self) {
                try await house.coordinator.accept(offer, for: awaiting, plainTrust: .lan)
            }
            #expect(late?.code == .notAllowed)
            #expect(try house.store.pairing(awaiting.id) == accepted)
        }
    }

    /// A pairing that was unpaired stays in the bin, and keeps no bot out: neither a new one of its gateway, nor those
    /// behind it in the file.
    @Test func aPairingInTheBinKeepsNoBotOut() async throws {
        try await BotMigrationTests.withStore { store in
            let first = try list([(1, "10.0.0.8"), (2, "10.0.0.9")])
            #expect(try store.insert(store.plan(first.bots, at: 1_000)).isEmpty)
            let unpaired = try #require(try store.pairings().first { $0.bots.map(\.id.text) == ["bot-1"] })
            try store.moveToBin(unpaired.id, reason: .forgotten, at: 2_000)
            let bin = try store.bin()
            let all = try list([(1, "10.0.0.8"), (3, "10.0.0.8"), (2, "10.0.0.9"), (4, "10.0.0.9"), (5, "10.0.0.7")])
            for _ in 1...2 {
                #expect(try store.insert(store.plan(all.bots, at: 3_000)).isEmpty)
                let bots = try store.pairings().map { $0.bots.map(\.id.text) }
                #expect(Set(bots) == [["bot-2", "bot-4"], ["bot-3"], ["bot-5"]])
                #expect(try store.bin() == bin)
            }
        }
    }

    /// A pairing that was unpaired after the import was planned leaves out its bots, by their lines, and no others.
    @Test func whatCannotBeStoredIsNamedByItsLine() async throws {
        try await BotMigrationTests.withStore { store in
            let first = try list([(1, "10.0.0.8")])
            #expect(try store.insert(store.plan(first.bots, at: 1_000)).isEmpty)
            let all = try list([(1, "10.0.0.8"), (2, "10.0.0.8"), (3, "10.0.0.8"), (4, "10.0.0.9")])
            let plan = try store.plan(all.bots, at: 2_000)
            let unpaired = try #require(try store.pairings().first)
            try store.moveToBin(unpaired.id, reason: .forgotten, at: 3_000)
            let leftOut = try store.insert(plan)
            #expect(leftOut.map(\.line) == [2, 3])
            #expect(leftOut.allSatisfy { !$0.reason.contains("token-") && !$0.reason.isEmpty })
            #expect(try store.pairings().flatMap(\.bots).map(\.id.text) == ["bot-4"])
        }
    }

    /// A bot that is added to a trusted gateway belongs to the device that this gateway knows, and a bot that is there
    /// keeps the name that the gateway has given it.
    @Test func aBotOfATrustedGatewayHasItsDevice() async throws {
        let leaf = try PairingSamples.leaf(7)
        let bots = [BotDescription(id: try #require(BotID("bot-7")), name: "Bot 1", emoji: "🤖")]
        let offer = try PairingSamples.offer(leaf: leaf, bots: bots)
        try await BotMigrationTests.withStore { store in
            let first = try list([(1, "10.0.0.8")])
            #expect(try store.insert(store.plan(first.bots, at: 1_000)).isEmpty)
            let id = try #require(try store.pairings().first).id
            try store.update(id) { $0.accept(offer, .pinned(leaf), as: "device") }
            let all = try list([(1, "10.0.0.8"), (7, "10.0.0.8"), (2, "10.0.0.8")])
            #expect(try store.insert(store.plan(all.bots, at: 2_000)).isEmpty)
            let pairing = try #require(try store.pairing(id))
            #expect(pairing.trust == .pinned(leaf))
            #expect(pairing.bots.map(\.id.text) == ["bot-7", "bot-2"])
            #expect(pairing.bots.map(\.name) == ["Bot 1", "Bot 2"])
            #expect(pairing.credentials.map(\.deviceID) == ["device", "device", "device"])
            let added = try #require(pairing.credentials.last)
            #expect(try store.secret(of: added.id, in: id).revealed == "token-2")
        }
    }
}
