import DNSSD
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// The one-shot query as a companion: the updates about other sources and about protected instances that it receives.
@Suite(.timeLimit(.minutes(1))) struct OneShotSourceTests {
    private let key = InstancePath(instance: Samples.instance("a"), path: Samples.eth0)

    /// Returns a source, and the queries that its sessions create.
    private func source() -> (source: OneShotSource, queries: AsyncStream<FakeQuery>) {
        let (queries, continuation) = AsyncStream.makeStream(of: FakeQuery.self)
        let source = OneShotSource { _, _ in
            let query = FakeQuery()
            continuation.yield(query)
            return query
        }
        return (source, queries)
    }

    /// Begins a session, and returns it with its query.
    private func begin(
        _ made: (source: OneShotSource, queries: AsyncStream<FakeQuery>)
    ) async throws -> (session: any SourceSession, query: FakeQuery) {
        let session = made.source.makeSession(BrowseRequest(types: [Samples.type])) { _ in }
        await session.prepare()
        for await query in made.queries { return (session, query) }
        throw CancellationError()
    }

    @Test func aQueryIsToldWhatConcernsIt() async throws {
        let (session, query) = try await begin(source())
        #expect(query.takeCalls() == ["begin"])
        session.update(CompanionUpdate(confirmed: [key]))
        #expect(query.takeCalls() == ["reported 1 confirmed, 0 gone, running"])
        session.update(CompanionUpdate(gone: [key], isBusy: true))
        #expect(query.takeCalls() == ["reported 0 confirmed, 1 gone, running, busy"])
        session.update(CompanionUpdate(isStatusNew: true, isRunning: false))
        #expect(query.takeCalls() == ["reported 0 confirmed, 0 gone"])
        session.update(CompanionUpdate(hasLost: true))
        #expect(query.takeCalls() == ["lost"], "an unchanged status is not reported again")
        session.update(CompanionUpdate(resolved: [Samples.sighting("a")]))
        #expect(query.takeCalls() == ["resolved 1"])
        session.update(CompanionUpdate())
        #expect(query.takeCalls().isEmpty)
    }

    /// Protected instances are passed to each query, also to one that begins later, so that none drops them for lack of
    /// room.
    @Test func whatIsAliveIsKnownToEachQuery() async throws {
        let made = source()
        let (_, first) = try await begin(made)
        made.source.protect(Samples.instance("a"), true)
        made.source.protect(Samples.instance("b"), true)
        made.source.protect(Samples.instance("b"), false)
        #expect(first.takeCalls() == ["begin", "protect a", "protect b", "unprotect b"])
        let (_, second) = try await begin(made)
        #expect(second.takeCalls() == ["protect a", "begin"])
    }

    @Test func aQueryIsToldUntilItHasEnded() async throws {
        let made = source()
        let (session, query) = try await begin(made)
        let running = Task { await session.run() }
        made.source.reconfirm(Samples.instance("a"))
        #expect(query.takeCalls() == ["begin", "reconfirm a"])
        running.cancel()
        await running.value
        made.source.reconfirm(Samples.instance("a"))
        made.source.protect(Samples.instance("a"), true)
        #expect(query.takeCalls() == ["end"])
    }

    /// A session whose query cannot be created, for lack of a thread or descriptor, runs without it, so that the other
    /// sources work alone.
    @Test func withoutAQueryTheBrowseGoesOn() async {
        let source = OneShotSource { _, _ in nil }
        let session = source.makeSession(BrowseRequest(types: [Samples.type])) { _ in }
        await session.prepare()
        session.update(CompanionUpdate(hasLost: true))
        await session.run()
        source.reconfirm(Samples.instance("a"))
    }
}

/// A query that records the calls that it receives.
private final class FakeQuery: OneShotBrowse {
    private let calls = Mutex<[String]>([])

    private func note(_ call: String) { calls.withLock { $0.append(call) } }

    /// Takes the calls since the last time.
    func takeCalls() -> [String] {
        calls.withLock { calls in
            defer { calls = [] }
            return calls
        }
    }

    func begin() async { note("begin") }
    func end() async { note("end") }
    func backendResolved(_ sightings: [Sighting]) { note("resolved \(sightings.count)") }
    func backendLost() { note("lost") }
    func backendReported(
        confirmed: [(ServiceInstance, ServicePath)],
        gone: [(ServiceInstance, ServicePath)],
        isRunning: Bool,
        isBusy: Bool
    ) {
        note(
            "reported \(confirmed.count) confirmed, \(gone.count) gone" + (isRunning ? ", running" : "")
                + (isBusy ? ", busy" : "")
        )
    }
    func reconfirm(_ instance: ServiceInstance) { note("reconfirm \(instance.name)") }
    func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        note((isProtected ? "protect " : "unprotect ") + instance.name)
    }
}
