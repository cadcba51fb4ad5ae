import DNSSD
import Foundation
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Pairing

/// A gateway that has issued many tokens takes neither the time nor the sessions of the others.
extension ConnectionsTests {
    /// Adds a pairing with another gateway, which has a bot and a token for each number.
    private func pairWithMany(_ count: Int) throws -> StoredPairing {
        let bots = try (0..<count).map { StoredBot(id: try #require(BotID("many-\($0)")), name: "Bot \($0)") }
        let name = "Many"
        let many = StoredPairing(
            gatewayID: GatewayID.fingerprint(try #require(GatewayFingerprint(name))).description,
            fingerprint: GatewayFingerprint(name),
            name: name,
            dialect: .optaplus,
            trust: .pinned(otherLeaf),
            endpoints: [elsewhere],
            pairedAt: -1,
            bots: bots,
            credentials: bots.map { StoredCredential(bots: [$0.id], createdAt: 0, deviceID: "device") }
        )
        let secrets = many.credentials.map { ($0.id, Secret("t0ken-\($0.id)")) }
        try store.insert(many, secrets: Dictionary(uniqueKeysWithValues: secrets))
        return many
    }

    /// The number of transactions that have changed the database: SQLite counts them in its header.
    private func writes() throws -> Int {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: store.location.database))
        defer { try? file.close() }
        try file.seek(toOffset: 24)
        return try #require(try file.read(upToCount: 4)).reduce(0) { $0 << 8 | Int($1) }
    }

    /// The first session of every gateway begins at once. A gateway with a hundred tokens has 32 sessions, the others
    /// say that they wait, and when one of the 32 ends, the next one begins. So many sessions that are established in
    /// one moment cost two writes of the store and as many readings.
    @Test func aGatewayWithManyTokensTakesItsTurn() async throws {
        let many = try pairWithMany(100)
        try await running { connections in
            var attempts = dialer.makeAttempts()
            var made: [ScriptedDialer.Attempt] = []
            // Both gateways, without the clock being turned.
            while made.count < 2, let next = await attempts.next() { made.append(next) }
            #expect(Set(made.map(\.call.path.endpoint)) == [endpoint, elsewhere])
            try await settle {
                await connections.sessions.count { $0.detail == .queued } == 100 - SessionTurns.most
            }
            let waiting = await connections.sessions.first { $0.detail == .queued }
            #expect(waiting?.reason?.contains("32 sessions") == true)
            clock.turn(by: WakeUpSpreading.span)
            while made.count < SessionTurns.most + 1, let next = await attempts.next() { made.append(next) }

            let (before, readings) = (try writes(), await connections.readings.begun)
            for attempt in made {
                let leaf = attempt.call.path.endpoint == endpoint ? pin : otherLeaf
                #expect(try await attempt.connect(.leaf(leaf)) != nil)
            }
            try await settle { await connections.sessions.count(where: \.detail.isConnected) == made.count }
            clock.turn(by: .seconds(1))
            try await settle { await connections.notes.isEmpty }
            await store.settle(within: .seconds(5))
            #expect(try writes() - before <= 2)
            #expect(await connections.readings.begun - readings <= 3)

            let connected = await connections.sessions.first { $0.pairing == many.id && $0.detail.isConnected }
            let ended = try #require(connected)
            try store.moveToBin(ended.id, of: many.id, reason: .forgotten, at: 2)
            let next = try #require(await attempts.next())
            #expect(next.call.path.endpoint == elsewhere)
            #expect(await connections.sessions.count { $0.detail == .queued } == 100 - SessionTurns.most - 1)
        }
    }

    /// When the store says only that a gateway was connected, its sessions are offered no paths anew.
    @Test func whenItWasConnectedChangesNoPath() throws {
        var later = pairing
        later.lastConnected = 5
        later.bots = []
        #expect(!later.leadsElsewhere(than: pairing))
        later.endpoints = [elsewhere]
        #expect(later.leadsElsewhere(than: pairing))
        later = pairing
        later.trust = .pinned(otherLeaf)
        #expect(later.leadsElsewhere(than: pairing))
    }

    /// A credential opens the bots that it names, in the order of the pairing's bots, or all of them.
    @Test func theBotsOfEachCredentialAreKnown() throws {
        let bots = try (0..<3).map { StoredBot(id: try #require(BotID("\($0)")), name: "") }
        var own = pairing
        own.bots = bots
        own.credentials = [[bots[2].id, bots[0].id], [], [bot]].map {
            StoredCredential(bots: $0, createdAt: 0, deviceID: "device")
        }
        #expect(own.credentials.map { own.botsByCredential[$0.id] } == [[bots[0], bots[2]], bots, []])
    }
}
