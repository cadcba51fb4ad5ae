import DNSSD
import Foundation
import GatewayClient
import GatewayProtocol
import Scanning
import Synchronization
import TestSupport
import Testing

@testable import Pairing

/// The actor that keeps sessions, with a scripted dialer, a simulated clock and a store on disk.
@Suite(.timeLimit(.minutes(1))) struct ConnectionsTests {
    let folder: URL
    let store: PairingStore
    let constellation: Constellation
    let mapEvents = MapEvents()
    let dialer = ScriptedDialer()
    let clock = TurnedClock()
    let wallTime = SetTime(1_000)
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
        constellation = Constellation(observer: mapEvents.note)
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

    /// - Parameter network: Returns the network that leads to an address, which the kernel knows at once.
    func makeConnections(
        in network: @escaping @Sendable (IPAddress) -> NetworkObservation? = { _ in nil },
        typed: [PairingID: Secret] = [:]
    ) -> Connections {
        var configuration = ConnectionsConfiguration()
        configuration.typedTokens = typed
        return Connections(
            store: store,
            constellation: constellation,
            configuration: configuration,
            dialer: dialer,
            environment: ConnectionsEnvironment(
                clock: clock,
                awake: nil,
                wallTime: { [wallTime] in wallTime.milliseconds },
                network: network,
                settledNetwork: network,
                networkChanges: { AsyncStream { _ in } },
                seed: 1
            )
        )
    }

    /// Runs sessions while a closure runs, and another closure once they have ended.
    func running(
        in network: @escaping @Sendable (IPAddress) -> NetworkObservation? = { _ in nil },
        typed: [PairingID: Secret] = [:],
        _ body: (Connections) async throws -> Void,
        after check: () throws -> Void = {}
    ) async throws {
        let connections = makeConnections(in: network, typed: typed)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await connections.run() }
            do { try await body(connections) } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
        }
        // The credential is not locked any more.
        #expect(throws: Never.self) { try store.lock(credential) }
        try check()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Waits until a session has a state that meets a condition.
    func wait(for connections: Connections, _ isExpected: (SessionState) -> Bool) async {
        for await event in connections.events {
            switch event {
            case .snapshot(let sessions): if sessions.contains(where: { isExpected($0.detail) }) { return }
            case .changed(let session): if isExpected(session.detail) { return }
            case .removed: break
            }
        }
    }

    /// Waits until the rows of the map meet a condition.
    func wait(forMap isExpected: ([Gateway]) -> Bool) async {
        for await _ in constellation.updates {
            if isExpected(await constellation.gateways) { return }
        }
    }

    /// Waits until the map knows that the session answers, and the sessions have read everything that is in the map: what
    /// they read after a loss would look like a sign of life, after which they do not wait.
    func settleMap(of connections: Connections) async throws {
        try await settle {
            let isReported = mapEvents.all.contains {
                if case .sessionLiveness(_, .answering, roundTrip: _) = $0 { true } else { false }
            }
            let (read, present) = (await connections.rows, await constellation.gateways)
            return isReported && present.allSatisfy { read[$0.id] == $0 }
        }
    }

    /// Waits until a condition is met.
    func settle(_ condition: () async throws -> Bool) async throws {
        while try await !condition() { await Task.yield() }
    }

    func answer(at endpoint: Endpoint, _ leaf: LeafFingerprint?, named name: String = "Home") -> [BotMapEvent] {
        let identity = GatewayIdentity(fingerprint: fingerprint, name: name, dialect: .optaplus, leaf: leaf)
        return [
            .endpointAdded(endpoint, .local), .probed(endpoint, .gateway(identity)), .liveness(endpoint, .answering),
        ]
    }

    /// Overwrites the store, so that it cannot be read.
    ///
    /// - Returns: The former content.
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

    /// A paired gateway is connected and shown with its bots as connected; after the run it stays in the map.
    @Test func whatIsPairedIsShownAndConnected() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(attempt.call.path.transport == .tls(pin: pin))
            await wait { rows in rows.contains { $0.isPaired && $0.bots.first?.state == .connecting } }
            #expect(try await attempt.connect(.leaf(pin)) == Secret("t0ken"))
            await wait(for: connections) { $0.isConnected }
            await wait { rows in rows.contains { $0.bots.first?.state == .connected && $0.liveness == .answering } }
            try await settle { try store.pairing(pairing.id)?.lastConnected == 1_000 }
            let session = try #require(await connections.sessions.first)
            #expect(session.latency == .milliseconds(2))
            #expect(session.bots.map(\.name) == ["Jarvis"])
            #expect(session.reason == nil)
        }
        // The row of a paired gateway stays.
        let rows = await constellation.gateways
        #expect(rows.count == 1)
        #expect(rows.first?.bots.first?.state == .paired)
    }

    /// The pairing of a session that is over says when its gateway last answered, and not when the session began.
    @Test(arguments: [true, false]) func theLastAnswerIsStored(endsByItself: Bool) async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            _ = try await attempt.connect(.leaf(pin))
            await wait(for: connections) { $0.isConnected }
            wallTime.milliseconds = 61_000
            await attempt.call.signOfLife(.milliseconds(1))
            wallTime.milliseconds = 99_000
            guard endsByItself else { return }
            attempt.fail()
            await wait(for: connections) { !$0.isConnected }
            // The notes of one second are written together.
            while try store.pairing(pairing.id)?.lastConnected != 61_000 { await clock.turnToNext() }
        } after: {
            let last = try store.pairing(pairing.id)?.lastConnected
            #expect(last == 61_000)
        }
    }

    /// A gateway that was paired under another name than its own, or is renamed, is known by its own as well.
    @Test func itsOwnNameIsStored() async throws {
        try await running { connections in
            await constellation.apply(answer(at: endpoint, pin, named: "Studio"))
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(try await attempt.connect(.leaf(pin)) != nil)
            await wait(for: connections) { $0.isConnected }
            try await settle { try store.pairing(pairing.id)?.ownName == "Studio" }
            await constellation.apply(answer(at: endpoint, pin, named: "Loft"))
            try await settle { try store.pairing(pairing.id)?.ownName == "Loft" }
            #expect(try store.pairing(pairing.id)?.name == "Home")
        }
    }

    /// A gateway that has moved is found at its new address by its pinned leaf, although another one claims its
    /// fingerprint, and stays one row.
    @Test func aGatewayThatHasMovedIsFollowedByItsLeafAndStaysOneRow() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let first = try #require(await attempts.next())
            first.fail()
            await wait(for: connections) { if case .waiting = $0 { true } else { false } }
            // Another gateway claims the fingerprint, and the paired one is at a new address.
            let impostor = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0003)), port: 3_000)
            await constellation.apply(answer(at: impostor, otherLeaf))
            await constellation.apply(answer(at: elsewhere, pin))
            // The second gateway with the fingerprint is shown once the first one has answered again.
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
            try await settle { try store.pairing(pairing.id)?.endpoints.first == elsewhere }
        }
    }

    /// A peer with another certificate than the pinned one gets no token, and the pairing stays.
    @Test func anotherLeafGetsNothing() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(try await attempt.connect(.leaf(otherLeaf)) == nil)
            await wait(for: connections) { $0 == .changedLeaf(found: otherLeaf) }
            #expect(try store.pairings().count == 1)
        }
    }

    /// The back-off follows the simulated clock.
    @Test func backOffFollowsTheClock() async throws {
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

    /// Sessions are pinged more often while somebody watches, so that a loss is noticed within seconds; while nobody
    /// does, they cost little.
    @Test func gatewaysAreAskedMoreOftenWhileSomebodyWatches() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(try await attempt.connect(.leaf(pin)) != nil)
            await wait(for: connections) { $0.isConnected }
            for (isWatched, interval) in [(true, LiveSession.watchedInterval), (false, LiveSession.interval)] {
                await connections.setWatched(isWatched)
                let due = try #require(await connections.schedule.deadlines[credential])
                #expect(due - clock.now == interval)
            }
        }
    }

    /// An answer of the gateway to the scanner cuts the back-off short: a gateway that was away for a moment only is
    /// never missed on the map, so that nothing else shows that it is back.
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

    /// A credential that the gateway has revoked goes to the bin, and the row is no longer paired.
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

    /// That a place where it was never connected does not know the pairing is about that place: another gateway is there,
    /// behind the same front. The pairing stays.
    @Test func anotherPlaceThatDoesNotKnowItEndsNothing() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let first = try #require(await attempts.next())
            first.fail()
            await wait(for: connections) { if case .waiting = $0 { true } else { false } }
            let other = Endpoint(address: endpoint.address, port: endpoint.port, resource: "/other/")
            let identity = GatewayIdentity(fingerprint: fingerprint, name: "Home", dialect: .optaplus, leaf: pin)
            await constellation.apply([
                .endpointAdded(other, .local), .probed(other, .gateway(identity)), .liveness(other, .answering),
            ])
            var attempt = try #require(await attempts.next())
            while attempt.call.path.endpoint != other {
                attempt.fail()
                attempt = try #require(await attempts.next())
            }
            #expect(await attempt.open(.leaf(pin)))
            attempt.fail(.refused(SessionRefusal(dialect: .optaplus, reason: .revoked, credential: .deviceToken)))
            await wait(for: connections) { if case .moved(.gateway) = $0 { true } else { false } }
            #expect(try store.pairings().count == 1)
            #expect(try store.bin().isEmpty)
        }
    }

    /// A revocation by a peer that has not proved to be the gateway is ignored.
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

    /// A token that the gateway grants with the session replaces the stored one.
    @Test func aNewTokenTakesThePlaceOfTheOldOne() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(try await attempt.connect(.leaf(pin), token: Secret("n3w")) == Secret("t0ken"))
            await wait(for: connections) { $0.isConnected }
            try await settle { try store.secret(of: credential, in: pairing.id) == Secret("n3w") }
        }
    }

    /// The revocation of a former token does not end the new one that the user has got by pairing again.
    @Test func theEndOfAFormerTokenIsNotThatOfTheNewOne() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(await attempt.open(.leaf(pin)))
            #expect(try await attempt.call.secret() == Secret("t0ken"))
            try store.replaceSecret(Secret("n3w"), of: credential, in: pairing.id, at: 3)
            attempt.fail(.refused(SessionRefusal(dialect: .optaplus, reason: .revoked, credential: .deviceToken)))
            let next = try #require(await attempts.next())
            // The store tells of the new one twice, by its change and by keeping it: whichever comes last ends no attempt.
            #expect(await next.open(.leaf(pin)))
            await connections.readStore()
            await connections.pass()
            try #require(try await next.connect(.leaf(pin)) == Secret("n3w"))
            await wait(for: connections) { $0.isConnected }
            #expect(try store.pairings().count == 1)
            #expect(try store.bin().isEmpty)
        }
    }

    /// A gateway that ends the session of a former token, as the user has paired again, and does not say why, is asked with
    /// the new token at once.
    @Test(.timeLimit(.minutes(1))) func theNewTokenDoesNotWaitForTheEndOfTheFormerOne() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            _ = try await attempt.connect(.leaf(pin))
            await wait(for: connections) { $0.isConnected }
            try store.replaceSecret(Secret("n3w"), of: credential, in: pairing.id, at: 3)
            await connections.readStore()
            attempt.fail(.refused(SessionRefusal(dialect: .optaplus, reason: .refused, credential: .deviceToken)))
            let next = try #require(await attempts.next())
            #expect(try await next.connect(.leaf(pin)) == Secret("n3w"))
            await wait(for: connections) { $0.isConnected }
        }
    }

    /// A token that was granted before the user paired again does not replace the new one.
    @Test func aTokenThatComesLateReplacesNoNewerOne() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(await attempt.open(.leaf(pin)))
            #expect(try await attempt.call.secret() == Secret("t0ken"))
            try store.replaceSecret(Secret("n3w"), of: credential, in: pairing.id, at: 3)
            await attempt.call.granted(
                GrantedSession(
                    endpoint: endpoint,
                    leaf: pin,
                    tick: nil,
                    deviceToken: Secret("t0ken"),
                    told: nil,
                    roundTrip: .milliseconds(2),
                    ask: { method, _, _ in ScriptedDialer.Attempt.answer(to: method) }
                )
            )
            // If the change of the store was read before, it has ended this attempt, and the next one has the new token.
            if await connections.sessions.first?.detail.isConnected != true {
                try #require(try await #require(await attempts.next()).connect(.leaf(pin)) == Secret("n3w"))
            }
            await wait(for: connections) { $0.isConnected }
            #expect(try store.secret(of: credential, in: pairing.id) == Secret("n3w"))
        }
    }

    /// The revocation of a token that came with the session counts, since it is the stored one by then.
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

    /// Disconnecting and connecting a pairing are stored, so that they hold in the next run.
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

    /// A credential has one session in all processes: this one waits until another process releases the lock.
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

    /// The state of a session that another process has is shown at its bots, as `status` shows it.
    @Test func theWordOfAnotherProcessIsShown() async throws {
        let lock = try store.lock(credential)
        lock.note(SessionNote(state: "refused", since: 1))
        try await running { connections in
            await wait { rows in rows.flatMap(\.bots).map(\.state) == [.refused] }
            lock.note(SessionNote(state: "connected", since: 2))
            await clock.turnToNext()
            await wait { rows in rows.flatMap(\.bots).map(\.state) == [.connected] }
            lock.release()
            await clock.turnToNext()
            await wait { rows in rows.flatMap(\.bots).map(\.state) == [.connecting] }
        }
    }

    /// A gateway that refuses the session, or puts it off, is shown as such at its bots.
    @Test func aRefusalIsShownAtTheBots() async throws {
        try await running { _ in
            var attempts = dialer.makeAttempts()
            let first = try #require(await attempts.next())
            #expect(await first.open(.leaf(pin)))
            first.fail(
                .refused(
                    SessionRefusal(
                        dialect: .optaplus,
                        reason: .rateLimited,
                        credential: .deviceToken,
                        retryAfter: .seconds(60)
                    )
                )
            )
            await wait { rows in rows.flatMap(\.bots).map(\.state) == [.waiting] }
            await clock.turnToNext()
            let second = try #require(await attempts.next())
            #expect(await second.open(.leaf(pin)))
            second.fail(
                .refused(SessionRefusal(dialect: .optaplus, reason: .accessDenied, credential: .deviceToken))
            )
            await wait { rows in rows.flatMap(\.bots).map(\.state) == [.refused] }
        }
    }

    /// Whoever asks to connect, as `connect NAME` asks the agent, has a gateway that has refused asked again at once, without
    /// waiting for its pace; and once it accepts this device, no view says that it refuses.
    @Test func aRefusalEndsWhenTheUserAsks() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let first = try #require(await attempts.next())
            #expect(await first.open(.leaf(pin)))
            first.fail(.refused(SessionRefusal(dialect: .optaplus, reason: .accessDenied, credential: .deviceToken)))
            await wait { rows in rows.flatMap(\.bots).map(\.state) == [.refused] }
            try await connections.connect(pairing.id)
            let second = try #require(await attempts.next())
            #expect(try await second.connect(.leaf(pin)) != nil)
            await wait(for: connections) { $0.isConnected }
            await wait { rows in rows.flatMap(\.bots).map(\.state) == [.connected] }
        }
    }

    /// A pairing that goes to the bin is disconnected, and its row is no longer paired.
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

    /// Sessions end when their store is moved away, since their pairings are not there any more; another store in its
    /// place is for a new start.
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
}

/// The events that a map has got.
final class MapEvents: Sendable {
    private let events = Mutex<[BotMapEvent]>([])

    var all: [BotMapEvent] { events.withLock { $0 } }

    @Sendable func note(_ event: BotMapEvent) { events.withLock { $0.append(event) } }
}

/// A time of day that tests set.
final class SetTime: Sendable {
    private let time: Mutex<Int>

    init(_ milliseconds: Int) { time = Mutex(milliseconds) }

    var milliseconds: Int {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}
