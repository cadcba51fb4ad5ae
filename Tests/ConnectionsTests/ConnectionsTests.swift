import Constellation
import DNSSD
import Foundation
import GatewayClient
import GatewayProtocol
import PairingStore
import TestSupport
import Testing

@testable import Connections

/// The sessions with a scripted network and a turned clock.
@Suite(.timeLimit(.minutes(1))) struct ConnectionsTests {
    let folder: URL
    let store: PairingStore
    let constellation = Constellation()
    let dialer = ScriptedDialer()
    let clock = TurnedClock()
    let pin: LeafFingerprint
    let otherLeaf: LeafFingerprint
    let fingerprint: GatewayFingerprint
    let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0001)), port: 3_000)
    let elsewhere = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0002)), port: 4_000)
    let bot: BotID
    let pairing: StoredPairing
    let credential = CredentialID()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-sessions-\(UUID())")
        store = try PairingStore(
            StoreLocation(folder: folder.path + "/store", keyFile: folder.path + "/key/sealing.key")
        )
        pin = try #require(LeafFingerprint(bytes: Array(repeating: 1, count: 32)))
        otherLeaf = try #require(LeafFingerprint(bytes: Array(repeating: 2, count: 32)))
        fingerprint = try #require(GatewayFingerprint("abc"))
        bot = try #require(BotID("bot-1"))
        pairing = StoredPairing(
            gatewayID: GatewayID.fingerprint(fingerprint).description,
            fingerprint: fingerprint,
            name: "Home",
            dialect: .optaplus,
            trust: .pinned(pin),
            endpoints: [endpoint],
            pairedAt: 0,
            bots: [StoredBot(id: bot, name: "Jarvis")],
            credentials: [StoredCredential(id: credential, bots: [bot], createdAt: 0, deviceID: "device")]
        )
        try store.insert(pairing, secrets: [credential: Secret("t0ken")])
    }

    // MARK: Helpers

    func makeConnections() -> Connections {
        Connections(
            store: store,
            constellation: constellation,
            dialer: dialer,
            environment: ConnectionsEnvironment(
                clock: clock,
                awake: nil,
                wallTime: { 1_000 },
                network: { _ in nil },
                settledNetwork: { _ in nil },
                networkChanges: { AsyncStream { _ in } },
                seed: 1
            )
        )
    }

    /// Runs sessions while the closure does.
    func running(_ body: (Connections) async throws -> Void) async throws {
        let connections = makeConnections()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await connections.run() }
            do { try await body(connections) } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
        }
        // Nobody has a session any more.
        #expect(throws: Never.self) { try store.lock(credential) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Waits for a state.
    func wait(for connections: Connections, _ isExpected: (SessionState) -> Bool) async {
        for await event in connections.events {
            switch event {
            case .snapshot(let sessions): if sessions.contains(where: { isExpected($0.state) }) { return }
            case .changed(let session): if isExpected(session.state) { return }
            case .removed, .liveness, .pinned: break
            }
        }
    }

    /// Waits for the map.
    func wait(forMap isExpected: ([Gateway]) -> Bool) async {
        for await _ in constellation.updates {
            if isExpected(await constellation.gateways) { return }
        }
    }

    /// Waits until something holds.
    func settle(_ isSo: () async throws -> Bool) async throws {
        while try await !isSo() { await Task.yield() }
    }

    func answer(at endpoint: Endpoint, _ leaf: LeafFingerprint?) -> [BotMapEvent] {
        let identity = GatewayIdentity(fingerprint: fingerprint, name: "Home", dialect: .optaplus, leaf: leaf)
        return [
            .endpointAdded(endpoint, .local), .probed(endpoint, .gateway(identity)), .liveness(endpoint, .answering),
        ]
    }

    /// Makes the store one that cannot be read.
    ///
    /// - Returns: Its content.
    func damageStore() throws -> Data {
        let file = URL(fileURLWithPath: store.location.database)
        let whole = try Data(contentsOf: file)
        try Data(repeating: 0x55, count: whole.count).write(to: file)
        return whole
    }

    func mendStore(_ whole: Data) throws {
        try whole.write(to: URL(fileURLWithPath: store.location.database))
    }

    // MARK: Sessions

    @Test func whatIsPairedIsShownAndConnected() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(attempt.call.path.transport == .tls(pin: pin))
            await wait { rows in rows.contains { $0.isPaired && $0.bots.first?.state == .connecting } }
            #expect(try await attempt.connect(.leaf(pin)) == Secret("t0ken"))
            await wait(for: connections) { $0.isConnected }
            await wait { rows in rows.contains { $0.bots.first?.state == .connected && $0.liveness == .answering } }
            #expect(try store.pairing(pairing.id)?.lastConnected == 1_000)
            let session = try #require(await connections.sessions.first)
            #expect(session.latency == .milliseconds(2))
            #expect(session.bots.map(\.name) == ["Jarvis"])
            #expect(session.reason == nil)
        }
        // What is paired stays, offline.
        let rows = await constellation.gateways
        #expect(rows.count == 1)
        #expect(rows.first?.bots.first?.state == .paired)
    }

    @Test func aGatewayThatHasMovedIsFollowedByItsLeafAndStaysOneRow() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let first = try #require(await attempts.next())
            first.fail()
            await wait(for: connections) { if case .waiting = $0 { true } else { false } }
            // An impostor, and the gateway at its new address.
            let impostor = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0003)), port: 3_000)
            await constellation.apply(answer(at: impostor, otherLeaf))
            await constellation.apply(answer(at: elsewhere, pin))
            // The other one is shown when the first has answered again, which is asked at once.
            await constellation.apply(.liveness(impostor, .answering))
            var found = try #require(await attempts.next())
            while found.call.path.endpoint != elsewhere {
                #expect(found.call.path.endpoint != impostor)
                found.fail()
                found = try #require(await attempts.next())
            }
            #expect(try await found.connect(.leaf(pin)) != nil)
            await wait { rows in rows.contains { $0.bots.first?.state == .connected } }
            let rows = await constellation.gateways
            #expect(rows.count { $0.isPaired } == 1)
            let own = try #require(rows.first { $0.isPaired })
            #expect(own.paths.map(\.endpoint).contains(elsewhere))
            #expect(!own.paths.map(\.endpoint).contains(impostor))
            #expect(try store.pairing(pairing.id)?.endpoints.first == elsewhere)
        }
    }

    @Test func anotherLeafGetsNothing() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(try await attempt.connect(.leaf(otherLeaf)) == nil)
            await wait(for: connections) { $0 == .changedLeaf(found: otherLeaf) }
            #expect(try store.pairings().count == 1)
        }
    }

    @Test func theBackOffIsTheClocks() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            for _ in 0..<5 {
                let attempt = try #require(await attempts.next())
                attempt.fail()
                await wait(for: connections) { if case .waiting = $0 { true } else { false } }
                await clock.turnToNext()
            }
            #expect(await attempts.next() != nil)
        }
    }

    /// The loss of a session is noticed within seconds while somebody looks at it, and costs little while nobody does.
    @Test func gatewaysAreAskedMoreOftenWhileSomebodyWatches() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(try await attempt.connect(.leaf(pin)) != nil)
            await wait(for: connections) { $0.isConnected }
            for (isWatched, interval) in [(true, LiveSession.watchedInterval), (false, LiveSession.interval)] {
                await connections.setWatched(isWatched)
                let due = try #require(await connections.deadlines[credential])
                #expect(due - clock.now == interval)
            }
        }
    }

    /// A gateway that is back before anybody has missed it stays alive on the map: its answers alone say that it is back.
    @Test func anAnswerCutsTheBackOffShort() async throws {
        try await running { connections in
            await constellation.apply(answer(at: endpoint, pin))
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(try await attempt.connect(.leaf(pin)) != nil)
            await wait(for: connections) { $0.isConnected }
            attempt.fail()
            await wait(for: connections) { if case .waiting = $0 { true } else { false } }
            await constellation.apply(.liveness(endpoint, .answering, roundTrip: .milliseconds(3)))
            #expect(await attempts.next() != nil)
        }
    }

    @Test func aRevokedCredentialGoesToTheBin() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(await attempt.open(.leaf(pin)))
            let refusal = SessionRefusal(dialect: .optaplus, reason: .revoked, credential: .deviceToken)
            attempt.fail(.refused(refusal))
            try await settle { try store.pairings().isEmpty }
            try await settle { await connections.sessions.isEmpty }
            await wait { rows in !rows.contains { $0.isPaired } }
            #expect(try store.bin().count == 1)
        }
    }

    @Test func aForgedRevocationChangesNothing() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            let refusal = SessionRefusal(dialect: .optaplus, reason: .revoked, credential: .deviceToken)
            attempt.fail(.refused(refusal))
            await wait(for: connections) { if case .waiting = $0 { true } else { false } }
            #expect(try store.pairings().count == 1)
        }
    }

    @Test func aNewTokenTakesThePlaceOfTheOldOne() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(try await attempt.connect(.leaf(pin), token: Secret("n3w")) == Secret("t0ken"))
            await wait(for: connections) { $0.isConnected }
            #expect(try store.secret(of: credential, in: pairing.id) == Secret("n3w"))
        }
    }

    /// The user has paired again: what the gateway says of the former token is no word on the new one.
    @Test func theEndOfAFormerTokenIsNotThatOfTheNewOne() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(await attempt.open(.leaf(pin)))
            #expect(try attempt.call.secret() == Secret("t0ken"))
            try store.replaceSecret(Secret("n3w"), of: credential, in: pairing.id, at: 3)
            attempt.fail(.refused(SessionRefusal(dialect: .optaplus, reason: .revoked, credential: .deviceToken)))
            let next = try #require(await attempts.next())
            #expect(try await next.connect(.leaf(pin)) == Secret("n3w"))
            await wait(for: connections) { $0.isConnected }
            #expect(try store.pairings().count == 1)
            #expect(try store.bin().isEmpty)
        }
    }

    @Test func aTokenThatComesLateReplacesNoNewerOne() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(await attempt.open(.leaf(pin)))
            #expect(try attempt.call.secret() == Secret("t0ken"))
            try store.replaceSecret(Secret("n3w"), of: credential, in: pairing.id, at: 3)
            await attempt.call.granted(
                GrantedSession(
                    endpoint: endpoint,
                    leaf: pin,
                    tick: nil,
                    deviceToken: Secret("t0ken"),
                    bots: [],
                    roundTrip: .milliseconds(2)
                )
            )
            await wait(for: connections) { $0.isConnected }
            #expect(try store.secret(of: credential, in: pairing.id) == Secret("n3w"))
        }
    }

    /// The token that came with a session is the one that its end is about.
    @Test func theEndOfATokenThatCameWithASessionCounts() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(try await attempt.connect(.leaf(pin), token: Secret("n3w")) == Secret("t0ken"))
            await wait(for: connections) { $0.isConnected }
            attempt.fail(.refused(SessionRefusal(dialect: .optaplus, reason: .revoked, credential: .deviceToken)))
            try await settle { try store.pairings().isEmpty }
            #expect(try store.bin().count == 1)
        }
    }

    @Test func disconnectingIsRemembered() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            _ = try await #require(await attempts.next()).connect(.leaf(pin))
            await wait(for: connections) { $0.isConnected }
            try await connections.disconnect(pairing.id)
            await wait(for: connections) { $0 == .stopped }
            #expect(try store.pairing(pairing.id)?.connectsAutomatically == false)
            try await connections.connect(pairing.id)
            #expect(await attempts.next() != nil)
            #expect(try store.pairing(pairing.id)?.connectsAutomatically == true)
        }
    }

    @Test func aCredentialHasOneSessionOverAllProcesses() async throws {
        let lock = try store.lock(credential)
        try await running { connections in
            await wait(for: connections) { if case .held = $0 { true } else { false } }
            lock.release()
            await clock.turnToNext()
            var attempts = dialer.makeAttempts()
            #expect(await attempts.next() != nil)
        }
    }

    @Test func whatIsUnpairedIsDisconnected() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            _ = try await #require(await attempts.next()).connect(.leaf(pin))
            await wait(for: connections) { $0.isConnected }
            try store.moveToBin(pairing.id, reason: .forgotten, at: 2)
            try await settle { await connections.sessions.isEmpty }
            await wait { rows in !rows.contains { $0.isPaired } }
        }
    }

    /// What is in the place of the store now is for whoever opens it; a session that went on would be of a pairing that is not there.
    @Test func sessionsEndWithTheirStore() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            _ = try await #require(await attempts.next()).connect(.leaf(pin))
            await wait(for: connections) { $0.isConnected }
            let file = store.location.database
            try FileManager.default.moveItem(atPath: file, toPath: file + ".moved")
            await wait(for: connections) {
                if case .failed(let reason) = $0 { reason.contains("moved") } else { false }
            }
        }
    }

    @Test func messagesAreDeliveredToWhoeverReads() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            _ = try await attempt.connect(.leaf(pin))
            var messages = connections.messages.makeAsyncIterator()
            // More than are kept: the rest waits for the reader.
            let sent = Task {
                for number in 0..<200 { await attempt.call.received(GatewayEvent(name: "\(number)")) }
            }
            for number in 0..<200 { #expect(await messages.next()?.event.name == "\(number)") }
            await sent.value
        }
    }
}
