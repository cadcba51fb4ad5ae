import Constellation
import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import ReferenceGateway
import TestSupport
import Testing

@testable import Scanning

/// Requests that other parts of the program make over held connections.
extension ScannerTests {
    /// Returns a scanner whose checks are due when the test turns the clock.
    private func turned(_ clock: TurnedClock) -> Scanner {
        let browser = Browser(BrowserConfiguration(types: [.openClaw]), backend: backend)
        return Scanner(ScannerConfiguration(), browser: browser, clock: clock)
    }

    private func discover(_ connection: HeldConnection) async throws -> String? {
        let answer = try await connection.request("gateway.discover", params: .object([:]))
        return try DiscoverPayload(json: try answer.outcome.get()).name
    }

    /// Returns the code of the error that a closure throws; `nil` if it throws none.
    private func code(_ body: () async throws -> Void) async -> GatewayConnectionError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? GatewayConnectionError)?.code
        }
    }

    /// Requests over a held connection open no other connection, and the liveness checks go on over the same one.
    @Test func othersAskOverTheConnectionThatIsHeld() async throws {
        let (clock, interval) = (TurnedClock(), ScannerConfiguration().interval)
        let scanner = turned(clock)
        try await scanning(with: scanner) { endpoint in
            while await scanner.state.endpoints[endpoint]?.tracker.liveness != .answering { await Task.yield() }
            let before = (connections: connections.count, question: try #require(await scanner.questions(to: endpoint)))
            clock.turn(by: interval)
            try await scanner.withHeldConnection(to: endpoint) { connection in
                for check in 1...4 {
                    while await scanner.questions(to: endpoint) != before.question + check { await Task.yield() }
                    let name = try await discover(connection)
                    #expect(name == "Home Gateway")
                    clock.turn(by: interval)
                }
            }
            #expect(connections.count == before.connections + 1)
            let known = await scanner.state.endpoints[endpoint]
            #expect(known?.tracker.misses == 0 && known?.isHeld == true && known?.isInUse == false)
        }
    }

    /// The held connection ends when a session with the gateway begins, and with the scanner; a request over it then
    /// fails with the reason.
    @Test func aSessionEndsTheConnectionThatIsHeld() async throws {
        let clock = TurnedClock()
        let scanner = turned(clock)
        try await scanning(with: scanner) { endpoint in
            while await scanner.state.endpoints[endpoint]?.tracker.liveness != .answering { await Task.yield() }
            clock.turn(by: ScannerConfiguration().interval)
            let ended = await code {
                try await scanner.withHeldConnection(to: endpoint) { connection in
                    _ = try await discover(connection)
                    await scanner.constellation.apply(.sessionLiveness(endpoint, .answering))
                    while true { _ = try await discover(connection) }
                }
            }
            #expect(ended == .closed)
            #expect(await code { try await scanner.withHeldConnection(to: endpoint) { _ in } } == .notHeld)
            #expect(await scanner.held.isEmpty)
        }
        #expect(await code { try await scanner.withHeldConnection(to: Samples.endpoint(1)) { _ in } } == .notHeld)
    }

    /// A caller that cannot get a held connection receives the reason as soon as it is known, and leaves nothing behind
    /// in the scanner.
    @Test func whereNoneIsHeldThereIsAReason() async throws {
        try await scanning { endpoint in
            let other = Samples.endpoint(1)
            let atOnce = await code { try await scanner.withHeldConnection(to: other, timeout: .zero) { _ in } }
            #expect(atOnce == .notHeld)
            let waiting = Task { await code { try await scanner.withHeldConnection(to: other) { _ in } } }
            while await scanner.watchers.isEmpty { await Task.yield() }
            waiting.cancel()
            #expect(await waiting.value == .cancelled)
            #expect(await scanner.watchers.isEmpty)
            // An error of the closure is the caller's own.
            struct Own: Error {}
            await #expect(throws: Own.self) {
                try await scanner.withHeldConnection(to: endpoint, timeout: .seconds(30)) { _ in throw Own() }
            }
            #expect(await scanner.held[endpoint]?.users == 0)
        }
    }

    /// A gateway in a dialect without requests is refused with a reason of its own, as soon as the dialect is known.
    @Test(arguments: [GatewayDialect.openClaw, .openAgents, .bridge])
    func inOtherDialectsNothingCanBeAsked(dialect: GatewayDialect) async throws {
        try await scanning(dialect) { endpoint in
            let reason = await code {
                try await scanner.withHeldConnection(to: endpoint, timeout: .seconds(30)) { _ in }
            }
            #expect(reason == .noRequests)
        }
    }
}
