import DNSSD
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Avahi

/// The connection to a daemon that starts, ends and hangs, with a clock that the test advances and clients that need no
/// message bus.
@Suite(.timeLimit(.minutes(1))) final class AvahiConnectionTests {
    /// A daemon that determines the state of new clients, and records which clients were opened and freed.
    private final class Daemon: Sendable {
        private struct State {
            var answer: Result<DaemonState, AvahiError>
            var hangs = false
            var opened: [Int] = []
            var freed: [Int] = []
        }

        private let state: Mutex<State>

        init(_ answer: Result<DaemonState, AvahiError>) {
            state = Mutex(State(answer: answer))
        }

        var opened: [Int] { state.withLock { $0.opened } }
        var freed: [Int] { state.withLock { $0.freed } }

        func become(_ answer: Result<DaemonState, AvahiError>, hangs: Bool = false) {
            state.withLock { ($0.answer, $0.hangs) = (answer, hangs) }
        }

        func open(_ id: Int, for sockets: BusSockets) throws(AvahiError) -> BusClient {
            let (answer, hangs) = state.withLock { state in
                state.opened.append(id)
                return (state.answer, state.hangs)
            }
            // A hanging call is cut off by the guard, and then returns like any other.
            if hangs { sockets.shutDown() }
            return FakeClient(id, try answer.get(), self)
        }

        func free(_ id: Int) { state.withLock { $0.freed.append(id) } }
    }

    /// A client without a connection.
    private final class FakeClient: BusClient {
        private let stateNow: DaemonState
        private let daemon: Daemon

        init(_ id: Int, _ state: DaemonState, _ daemon: Daemon) {
            self.stateNow = state
            self.daemon = daemon
            super.init(disconnected: id)
        }

        override var state: DaemonState { stateNow }

        override func free() { daemon.free(id) }
    }

    /// A session that only passes on the conditions that it receives.
    private final class ConditionRecorder: AvahiSession {
        private let conditions: AsyncStream<DaemonCondition>.Continuation

        init(_ conditions: AsyncStream<DaemonCondition>.Continuation) {
            self.conditions = conditions
        }

        var deadline: ContinuousClock.Instant? { nil }
        var clientCount: Int { 0 }
        var objectCount: Int { 0 }

        func daemonChanged(to condition: DaemonCondition, on connection: isolated AvahiConnection) {
            conditions.yield(condition)
        }

        func receive(_ event: ObjectEvent, from object: ObjectID, on connection: isolated AvahiConnection) {}
        func tick(now: ContinuousClock.Instant, on connection: isolated AvahiConnection) {}
        func work(on connection: isolated AvahiConnection) -> Bool { false }
        func end(on connection: isolated AvahiConnection) {}
    }

    private let clock = TurnedClock()
    private let daemon = Daemon(.success(.running))
    private let connection: AvahiConnection
    private let (conditions, condition) = AsyncStream.makeStream(of: DaemonCondition.self)

    init() throws {
        connection = try AvahiConnection(
            configuration: AvahiConfiguration(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            clock: clock
        ) { [daemon] id, connection throws(AvahiError) in try daemon.open(id, for: connection.sockets) }
    }

    private func begin() async -> SessionID {
        await connection.begin { [condition] _, _, _ in ConditionRecorder(condition) }
    }

    /// Returns when the connection has done everything that is due.
    private func settle() async {
        await connection.scheduleTurn()
        _ = await connection.holdings
    }

    private func turn(by time: Duration) async {
        clock.turn(by: time)
        await settle()
    }

    private func nextCondition() async -> DaemonCondition? {
        for await condition in conditions { return condition }
        return nil
    }

    /// Expects that the connection is opened again after this time, and not before.
    private func expectTry(after time: Duration) async {
        let tries = daemon.opened.count
        await turn(by: time - .milliseconds(1))
        #expect(daemon.opened.count == tries, "before \(time)")
        await turn(by: .milliseconds(1))
        #expect(daemon.opened.count == tries + 1, "after \(time)")
    }

    /// A missing message bus is reported as a condition, and tried again at intervals that grow from 0.1 s to 2 s.
    @Test func aBusThatIsNotThereIsTriedLessAndLessOften() async {
        daemon.become(.failure(.dbus))
        _ = await begin()
        #expect(daemon.opened == [1])
        for time in [100, 200, 400, 800, 1_600, 2_000, 2_000] { await expectTry(after: .milliseconds(time)) }
        daemon.become(.success(.running))
        await turn(by: .seconds(2))
        #expect(await connection.holdings == AvahiHoldings(sessions: 1, clients: 1))
        var last: DaemonCondition?
        while last != .up(isSettled: true) {
            last = await nextCondition()
            guard case .unavailable = last else { continue }
            #expect(last == .unavailable(BackendError(connecting: .dbus)))
        }
    }

    /// The connection is opened again after 0.1 s if the daemon had run for 10 s, and at growing intervals otherwise.
    @Test func aDaemonThatServedIsTriedAgainAtOnce() async throws {
        daemon.become(.failure(.dbus))
        _ = await begin()
        for time in [100, 200, 400] { await expectTry(after: .milliseconds(time)) }
        daemon.become(.success(.running))
        await expectTry(after: .milliseconds(800))
        await turn(by: .milliseconds(9_999))
        await connection.clientChanged(try #require(daemon.opened.last), to: .failed)
        await settle()
        await expectTry(after: .milliseconds(1_600))
        await turn(by: .seconds(10))
        await connection.clientChanged(try #require(daemon.opened.last), to: .failed)
        await settle()
        await expectTry(after: .milliseconds(100))
    }

    /// The connection is closed when the last session ends, and no timer remains.
    @Test func theLastSessionClosesTheConnection() async {
        let (first, second) = (await begin(), await begin())
        #expect(daemon.opened == [1])
        await connection.end(first)
        #expect(daemon.freed.isEmpty)
        await connection.end(second)
        #expect(daemon.freed == [1])
        #expect(await connection.holdings == .none)
        daemon.become(.failure(.dbus))
        let third = await begin()
        await connection.end(third)
        await turn(by: .seconds(3_600))
        #expect(daemon.opened == [1, 2])
    }

    /// Events of a client that was given up are ignored and do not affect its successor.
    @Test func eventsOfFormerClientsAreIgnored() async {
        _ = await begin()
        await connection.clientChanged(1, to: .failed)
        await settle()
        #expect(daemon.freed == [1])
        await expectTry(after: .milliseconds(100))
        await connection.clientChanged(1, to: .failed)
        await connection.clientChanged(1, to: .absent)
        await settle()
        #expect(daemon.opened == [1, 2] && daemon.freed == [1])
        #expect(await connection.holdings.clients == 1)
    }

    /// A client whose call was cut off has no connection any more: it is freed, and the daemon is reported as not
    /// answering.
    @Test func aClientThatWasCutOffIsFreed() async {
        daemon.become(.success(.running), hangs: true)
        _ = await begin()
        #expect(daemon.freed == [1])
        #expect(await connection.holdings.clients == 0)
        #expect(await nextCondition() == .starting)
        #expect(await nextCondition() == .unavailable(.daemonNotAnswering))
        daemon.become(.success(.running))
        await expectTry(after: .milliseconds(100))
        #expect(await nextCondition() == .up(isSettled: true))
    }
}
