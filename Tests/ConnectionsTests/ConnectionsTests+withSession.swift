import DNSSD
import GatewayClient
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Pairing

/// Speaking over a session.
extension ConnectionsTests {
    private func end(_ body: () async throws -> Void) async -> SessionEnd? {
        do { try await body() } catch { return error as? SessionEnd }
        return nil
    }

    /// A request gets its answer, and events come in order, even if more are sent than are kept.
    @Test func aSessionIsSpokenOver() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            _ = try await attempt.connect(.leaf(pin))
            try await connections.withSession(of: credential) { session in
                #expect(session.dialect == .optaplus && session.endpoint == endpoint)
                let answer = try await session.request("ping")
                #expect(try answer.outcome.get() == .string("ping is answered"))
                var events = session.events.makeAsyncIterator()
                let sent = Task {
                    for number in 0..<200 { await attempt.call.received(GatewayEvent(name: "\(number)")) }
                }
                for number in 0..<200 { #expect(try await events.next()?.name == "\(number)") }
                await sent.value
            }
        }
    }

    /// Whoever asks before there is a session waits for it, and gets the next one when it has ended.
    @Test func aSessionIsWaitedFor() async throws {
        try await running { connections in
            let first = Task {
                await end { try await connections.withSession(of: credential) { for try await _ in $0.events {} } }
            }
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            _ = try await attempt.connect(.leaf(pin))
            try await settle { await connections.readers(of: credential) == 1 }
            clock.turn(by: LiveSession.stableAge)
            attempt.fail()
            #expect(await first.value?.code == .lost)
            let second = Task { try await connections.withSession(of: credential) { try await $0.request("ping") } }
            _ = try await #require(await attempts.next()).connect(.leaf(pin))
            #expect(try await second.value.id == "1")
        }
    }

    /// A session ends with the reason: here, because the gateway is to be left alone. Whoever asks for another one then
    /// waits no longer than it wants.
    @Test func aSessionEndsWithAReason() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            _ = try await #require(await attempts.next()).connect(.leaf(pin))
            let stopped = await end {
                try await connections.withSession(of: credential) { session in
                    try await connections.disconnect(pairing.id)
                    for try await _ in session.events {}
                }
            }
            #expect(stopped?.code == .stopped)
            let none = await end {
                try await connections.withSession(of: credential, within: .zero) { _ in }
            }
            #expect(none?.code == .lost)
        }
    }

    /// Sessions are kept once, and a second run says so. A session ends with the run, after which there is none.
    @Test func aSessionEndsWithTheRun() async throws {
        let connections = makeConnections()
        let run = Task { try? await connections.run() }
        var attempts = dialer.makeAttempts()
        _ = try await #require(await attempts.next()).connect(.leaf(pin))
        let last = await end {
            try await connections.withSession(of: credential) { session in
                run.cancel()
                for try await _ in session.events {}
            }
        }
        #expect(last == .ofRun)
        await run.value
        await #expect(throws: AlreadyRunError(type: "Connections")) { try await connections.run() }
        #expect(await end { try await connections.withSession(of: credential) { _ in } } == .ofRun)
    }

    /// A request whose connection has ended says why the session has.
    @Test func aRequestSaysWhyItsSessionHasEnded() async throws {
        let session = GatewaySession(credential, dialect: .optaplus, path: path) {
            _,
            _,
            _ throws(GatewayConnectionError) in
            throw GatewayConnectionError(.closed, "the gateway hung up")
        }
        async let end = end { _ = try await session.request("ping") }
        session.feed.end(SessionEnd(.refused, "revoked"))
        #expect(await end == SessionEnd(.refused, "revoked"))
        let busy = GatewaySession(credential, dialect: .optaplus, path: path) {
            _,
            _,
            _ throws(GatewayConnectionError) in
            throw GatewayConnectionError(.busy, "expected fewer requests")
        }
        await #expect(throws: GatewayConnectionError.self) { try await busy.request("ping") }
    }

    private var path: SessionPath { SessionPath(place: .endpoint(endpoint), reach: .local, policy: .pinned(pin)) }
}

extension Connections {
    /// The number of readers of the live session of a credential.
    fileprivate func readers(of credential: CredentialID) -> Int? {
        guard let live = kept[credential]?.live else { return nil }
        return kept[credential]?.running[live.attempt]?.session?.feed.readerCount
    }
}
