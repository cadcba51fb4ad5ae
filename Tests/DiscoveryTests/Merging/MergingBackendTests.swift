import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// The cooperation of several sources in one browse.
@Suite struct MergingBackendTests {
    private let clock = TurnedClock()

    private func backend(_ sources: [any BrowseSource]) -> MergingBackend {
        MergingBackend(sources, clock: clock) { _, _, _ in }
    }

    private let request = BrowseRequest(types: [Samples.type])

    /// Runs a browse around `body`, which receives its events.
    private func withBrowse(
        _ backend: MergingBackend,
        _ body: (AsyncStream<BrowseEvent>) async throws -> Void
    ) async throws {
        let (events, continuation) = AsyncStream.makeStream(of: BrowseEvent.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await backend.browse(request) { for event in $0 { continuation.yield(event) } } }
            try await body(events)
            group.cancelAll()
        }
    }

    private func next(
        _ events: AsyncStream<BrowseEvent>,
        where isWanted: (BrowseEvent) -> Bool
    ) async throws -> BrowseEvent {
        for await event in events where isWanted(event) { return event }
        throw CancellationError()
    }

    private func sighting(in event: BrowseEvent) -> Sighting? {
        if case .sighted(let sighting) = event { sighting } else { nil }
    }

    /// A standby of a rank between daemon and engine takes over when the daemon goes away, and ends when the daemon is
    /// back and has caught up.
    @Test(.timeLimit(.minutes(1))) func aNewSourceTakesOverAndLeaves() async throws {
        let daemon = FakeBackend()
        let list = ListSource("list", .standby, rank: 25, [Samples.sighting("a", port: 4)])
        let backend = backend([BackendSource(daemon, rank: SourceRank.daemon), list])
        try await withBrowse(backend) { events in
            await daemon.started()
            #expect(backend.source == daemon.source)
            daemon.send(.status(.running), .sighted(Samples.sighting("a")))
            let first = try await next(events) { sighting(in: $0) != nil }
            #expect(sighting(in: first)?.source == daemon.source)
            daemon.send(.status(.unavailable(Samples.noDaemon)))
            #expect(await list.nextSession() == true)
            #expect(backend.source == list.traits.name)
            let second = try await next(events) { sighting(in: $0) != nil }
            #expect(sighting(in: second)?.port == 4)
            daemon.send(.status(.running), .sighted(Samples.sighting("a")))
            let third = try await next(events) { sighting(in: $0) != nil }
            #expect(sighting(in: third)?.source == daemon.source)
            clock.turn(by: BrowseMerge.catchUpTime * 2)
            #expect(await list.nextSession() == false, "the daemon has had its time to catch up")
        }
        #expect(!daemon.isRunning)
    }

    /// The report of a second primary source of a higher rank than the daemon takes precedence, and both sources are
    /// told which instances are protected.
    @Test(.timeLimit(.minutes(1))) func aSecondPrimarySource() async throws {
        let daemon = FakeBackend()
        let list = ListSource("list", .primary, rank: 40, [Samples.sighting("a", port: 4)])
        let backend = backend([BackendSource(daemon, rank: SourceRank.daemon), list])
        try await withBrowse(backend) { events in
            await daemon.started()
            _ = try await next(events) { sighting(in: $0)?.port == 4 }
            daemon.send(.status(.running), .sighted(Samples.sighting("a")), .sighted(Samples.sighting("b")))
            let second = try await next(events) { sighting(in: $0) != nil }
            #expect(sighting(in: second)?.instance == Samples.instance("b"), "the daemon's report on a ranks lower")
        }
        backend.protect(Samples.instance("a"), true)
        backend.reconfirm(Samples.instance("a"))
        #expect(daemon.protected == list.protectedInstances && daemon.protected == [Samples.instance("a")])
        #expect(daemon.reconfirmed == [Samples.instance("a")])
    }

    /// A companion is prepared before any source reports, and receives each report afterwards.
    @Test(.timeLimit(.minutes(1))) func aCompanionIsReadyFirstAndHearsOfTheOthers() async throws {
        let daemon = FakeBackend()
        let companion = NotingSource()
        try await withBrowse(backend([BackendSource(daemon, rank: SourceRank.daemon), companion])) { _ in
            await daemon.started()
            #expect(companion.session.isPrepared)
            daemon.send(.status(.running), .sighted(Samples.sighting("a")))
            let update = await companion.session.nextResolved()
            #expect(update?.confirmed.map(\.instance.name) == ["a"])
        }
    }

    /// A primary source that ends by itself, for example because its library is missing, does not end the browse while
    /// there is another one.
    @Test(.timeLimit(.minutes(1))) func theBrowseGoesOnWithItsOtherPrimarySource() async throws {
        let (one, other) = (FakeBackend(), FakeBackend())
        let backend = backend([BackendSource(one, rank: SourceRank.daemon), BackendSource(other, rank: 40)])
        try await withBrowse(backend) { events in
            await one.started()
            await other.started()
            one.finish()
            while one.isRunning { await Task.yield() }
            other.send(.sighted(Samples.sighting("a")))
            _ = try await next(events) { sighting(in: $0) != nil }
            #expect(other.isRunning)
        }
    }

    /// The browse ends when its last primary source ends by itself, even if a standby is working.
    @Test(.timeLimit(.minutes(1))) func theBrowseEndsWithItsLastPrimarySource() async throws {
        let daemon = FakeBackend()
        let list = ListSource("list", .standby, rank: 25, [])
        let backend = backend([BackendSource(daemon, rank: SourceRank.daemon), list])
        await withDiscardingTaskGroup { group in
            group.addTask { await backend.browse(request) { _ in } }
            await daemon.started()
            daemon.send(.status(.unavailable(Samples.noDaemon)))
            #expect(await list.nextSession() == true)
            daemon.finish()
        }
        #expect(await list.nextSession() == false)
        #expect(backend.source == daemon.source)
    }

    /// The sightings of a standby remain until the daemon that is back has had time to catch up; the standby works
    /// until then, and the instances that the daemon has not seen are lost afterwards.
    @Test(.timeLimit(.minutes(1))) func whatTheSuccessorDoesNotSeeGoesWhenItHasCaughtUp() async throws {
        let daemon = FakeBackend()
        let sightings = ["a", "b"].map { Samples.sighting($0, port: 4) }
        let list = ListSource("list", .standby, rank: 25, sightings)
        let backend = backend([BackendSource(daemon, rank: SourceRank.daemon), list])
        try await withBrowse(backend) { events in
            await daemon.started()
            daemon.send(.status(.unavailable(Samples.noDaemon)))
            #expect(await list.nextSession() == true)
            for _ in 0..<2 { _ = try await next(events) { sighting(in: $0) != nil } }
            daemon.send(.status(.running), .sighted(Samples.sighting("a")))
            _ = try await next(events) { sighting(in: $0)?.source == daemon.source }
            clock.turn(by: BrowseMerge.catchUpTime * 2 - .milliseconds(1))
            while clock.waits != [.milliseconds(1)] { await Task.yield() }
            daemon.send(.sighted(Samples.sighting("c")))
            let later = try await next(events) { event in
                if case .vanished = event { true } else { sighting(in: event)?.instance == Samples.instance("c") }
            }
            #expect(sighting(in: later) != nil, "no instance is lost before the daemon has had time to catch up")
            #expect(backend.source == list.traits.name)
            clock.turn(by: .milliseconds(1))
            let gone = try await next(events) { if case .vanished = $0 { true } else { false } }
            #expect(gone.isLoss(of: "b"))
            #expect(await list.nextSession() == false)
            // The standby's session ends before the backend records which source works now.
            for _ in 0..<100_000 where backend.source != daemon.source { await Task.yield() }
            #expect(backend.source == daemon.source)
        }
    }
}

extension BrowseEvent {
    fileprivate func isLoss(of name: String) -> Bool {
        if case .vanished(let instance, _, _) = self { instance == Samples.instance(name) } else { false }
    }
}

/// A companion whose only session records the updates that it receives.
private struct NotingSource: BrowseSource {
    let traits = SourceTraits(name: .oneShot, role: .companion, rank: SourceRank.oneShot)
    let session = NotingSession()

    func makeSession(
        _ request: BrowseRequest,
        report: @escaping @Sendable (SourceReport) -> Void
    ) -> any SourceSession { session }

    func reconfirm(_ instance: ServiceInstance) {}

    func protect(_ instance: ServiceInstance, _ isProtected: Bool) {}
}
