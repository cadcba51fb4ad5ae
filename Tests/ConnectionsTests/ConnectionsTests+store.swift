import DNSSD
import Foundation
import GRDB
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Pairing

/// A store that another process keeps locked, or a slow disk, delays no session that is established.
extension ConnectionsTests {
    /// Keeps the database for itself while a closure runs, as a process does that writes for long.
    private func lockingStore(
        thenRun change: String = "",
        _ body: () async throws -> Void
    ) async throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(10)
        let other = try DatabaseQueue(path: store.location.database, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        try await other.writeWithoutTransaction { try $0.execute(sql: "\(change); COMMIT") }
        try result.get()
    }

    /// Adds a pairing with another gateway, at a port of the same address.
    private func pairAnother(port: UInt16) throws -> (StoredPairing, CredentialID) {
        let id = CredentialID()
        let name = "Gateway \(port)"
        let other = StoredPairing(
            gatewayID: GatewayID.fingerprint(try #require(GatewayFingerprint(name))).description,
            fingerprint: GatewayFingerprint(name),
            name: name,
            dialect: .optaplus,
            trust: .pinned(pin),
            endpoints: [Endpoint(address: endpoint.address, port: port)],
            pairedAt: Int(port),
            bots: [StoredBot(id: bot, name: name)],
            credentials: [StoredCredential(id: id, bots: [bot], createdAt: 0, deviceID: "device")]
        )
        try store.insert(other, secrets: [id: Secret("t0ken-\(port)")])
        return (other, id)
    }

    /// A name that the user gives, and takes away again, is at once that of the session for whoever shows it.
    @Test func aNameIsTakenUpByASession() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            _ = try await #require(await attempts.next()).connect(.leaf(pin))
            await wait(for: connections) { $0.isConnected }
            let alias = GatewayAlias(
                gatewayID: pairing.gatewayID,
                fingerprint: pairing.fingerprint,
                leaf: pin,
                name: "Attic"
            )
            for (change, name) in [
                ({ try store.setAlias(alias) }, "Attic"), ({ try store.removeAlias(alias) }, pairing.name),
            ] as [(() throws -> Void, String)] {
                var events = connections.events.makeAsyncIterator()
                // Only who came before has to be told.
                guard case .snapshot? = await events.next(isolation: nil) else { throw CancellationError() }
                try change()
                while let update = await events.next(isolation: nil) {
                    if case .changed(let session) = update, session.gatewayName == name { break }
                }
            }
        }
    }

    /// While the store is locked, gateways are asked for signs of life at the usual times, whatever the other sessions
    /// need of it: a session that begins, one that is granted with a new token, one that asks for its token, one that
    /// is revoked, and an order of the user.
    @Test func aLockedStoreDelaysNoPing() async throws {
        for port in 1...3 { _ = try pairAnother(port: UInt16(port)) }
        try await running { connections in
            var attempts = dialer.makeAttempts()
            var byPort: [UInt16: ScriptedDialer.Attempt] = [:]
            while byPort.count < 4, let next = await attempts.next() {
                byPort[try #require(next.call.path.endpoint?.port)] = next
            }
            let own = try #require(byPort[endpoint.port])
            _ = try await own.connect(.leaf(pin))
            await wait(for: connections) { $0.isConnected }
            let (first, second, third) = try (
                #require(byPort[1]), #require(byPort[2]), #require(byPort[3])
            )
            for attempt in [first, second, third] { #expect(await attempt.open(.leaf(pin))) }
            try await lockingStore {
                let start = ContinuousClock.now
                // Each of these calls the store.
                let granted = GrantedSession(
                    endpoint: Endpoint(address: endpoint.address, port: 1),
                    leaf: pin,
                    tick: nil,
                    deviceToken: Secret("n3w"),
                    told: nil,
                    roundTrip: .zero,
                    ask: { method, _, _ in ScriptedDialer.Attempt.answer(to: method) }
                )
                let calls: [Task<Void, Never>] = [
                    Task { await first.call.granted(granted) },
                    Task { _ = try? await second.call.secret() },
                    Task { try? await connections.connect(pairing.id) },
                ]
                third.fail(.refused(SessionRefusal(dialect: .optaplus, reason: .revoked, credential: .deviceToken)))
                await wait(for: connections) { if case .revoked = $0 { true } else { false } }
                var pings = own.pings.makeAsyncIterator()
                for _ in 0..<3 {
                    let due = try #require(await connections.schedule.deadlines[credential])
                    clock.turn(by: max(due - clock.now, .zero))
                    #expect(await pings.next() != nil)
                    await own.call.signOfLife(.milliseconds(1))
                }
                #expect(ContinuousClock.now - start < .seconds(3), "SQLite waits for 5 s")
                for call in calls { call.cancel() }
            }
        }
    }

    /// The token that comes with a session while the store is locked is stored as soon as that is possible: the gateway
    /// may accept no other one.
    @Test func aTokenThatComesWhileTheStoreIsLockedIsStoredLater() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(await attempt.open(.leaf(pin)))
            #expect(try await attempt.call.secret() == Secret("t0ken"))
            try await lockingStore {
                await attempt.call.granted(
                    GrantedSession(
                        endpoint: endpoint,
                        leaf: pin,
                        tick: nil,
                        deviceToken: Secret("n3w"),
                        told: nil,
                        roundTrip: .zero,
                        ask: { method, _, _ in ScriptedDialer.Attempt.answer(to: method) }
                    )
                )
                // SQLite has given up by the time that something waits for the clock again.
                try await settle { clock.waits.contains(Connections.retryInterval) }
            }
            clock.turn(by: Connections.retryInterval)
            try await settle { try store.secret(of: credential, in: pairing.id) == Secret("n3w") }
        }
    }

    /// Sessions end in time although the store is locked.
    @Test func sessionsEndThoughTheStoreIsLocked() async throws {
        let connections = makeConnections()
        let running = Task { try? await connections.run() }
        var attempts = dialer.makeAttempts()
        let attempt = try #require(await attempts.next())
        _ = try await attempt.connect(.leaf(pin))
        await wait(for: connections) { $0.isConnected }
        try await lockingStore {
            let call = Task { try? await connections.connect(pairing.id) }
            let start = ContinuousClock.now
            running.cancel()
            await running.value
            // It is given a second. The store itself gives up after 5 s.
            #expect(ContinuousClock.now - start < .seconds(4))
            call.cancel()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// A decision on sending is about the pairing as it is when the store can be read, however long that takes.
    @Test func theDecisionIsAboutThePairingAsItIsThen() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(await attempt.open(.leaf(pin)))
            var decision: Task<TrustDecision?, Never>?
            try await lockingStore(thenRun: "UPDATE pairing SET binnedAt = 1, binReason = 'forgotten'") {
                decision = Task { try? await attempt.call.decide(.leaf(pin), endpoint) }
            }
            #expect(try await #require(decision).value == nil)
        }
    }
}
