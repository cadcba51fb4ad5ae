import DNSSD
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// Delivery of merged reports to the browser and to companions, under the lock between sources and browser, until the
/// end of the browse.
@Suite(.timeLimit(.minutes(1))) struct MergedBrowseTests {
    private let companion = NotingSession()
    private let received: EventCounter
    private let browse: MergedBrowse

    init() {
        let received = EventCounter()
        self.received = received
        let sources = [
            SourceTraits(name: SightingSource(rawValue: "daemon"), role: .primary, rank: SourceRank.daemon),
            SourceTraits(name: SightingSource(rawValue: "engine"), role: .standby, rank: SourceRank.engine),
            SourceTraits(name: .oneShot, role: .companion, rank: SourceRank.oneShot),
        ]
        browse = MergedBrowse(BrowseMerge(sources), clock: TurnedClock()) { received.add($0.count) }
        browse.begin([companion])
    }

    @Test func companionsAreToldOnlyWhatConcernsThem() {
        browse.take(.events([.status(.running)]), from: 0)
        #expect(received.count == 1 && companion.updates.map(\.isStatusNew) == [true])
        browse.take(.events([.warning(BackendWarning(.invalidRecord, "a bad record"))]), from: 0)
        #expect(received.count == 2 && companion.updates.count == 1)
        browse.take(.events([.sighted(Samples.sighting("a"))]), from: 0)
        #expect(received.count == 3 && companion.updates.last?.resolved.map(\.instance.name) == ["a"])
    }

    @Test func nobodyIsToldAfterTheEnd() {
        browse.end()
        browse.take(.events([.status(.running), .sighted(Samples.sighting("a"))]), from: 0)
        #expect(received.count == 0 && companion.updates.isEmpty)
    }

    /// The end of the browse releases the tasks that wait for its timers or for runs of its sources.
    @Test func endReleasesWaitingTasks() async {
        let keeping = Task { await browse.keepTime() }
        browse.end()
        await keeping.value
        for await _ in browse.runs(of: 1) {}
        for await _ in browse.runs(of: 0) { Issue.record("the daemon is no standby") }
    }
}

/// The number of events that a browser received.
private final class EventCounter: Sendable {
    private let total = Mutex(0)

    var count: Int { total.withLock { $0 } }

    func add(_ count: Int) { total.withLock { $0 += count } }
}

/// A companion that records the updates that it receives.
final class NotingSession: SourceSession {
    private let state = Mutex<(updates: [CompanionUpdate], isPrepared: Bool)>(([], false))
    private let stream = AsyncStream.makeStream(of: CompanionUpdate.self)

    var updates: [CompanionUpdate] { state.withLock { $0.updates } }

    var isPrepared: Bool { state.withLock { $0.isPrepared } }

    func prepare() async { state.withLock { $0.isPrepared = true } }

    func run() async { await Task.untilCancelled() }

    func update(_ update: CompanionUpdate) {
        state.withLock { $0.updates.append(update) }
        stream.continuation.yield(update)
    }

    /// Waits for the next update with a service that others have resolved.
    func nextResolved() async -> CompanionUpdate? {
        for await update in stream.stream where !update.resolved.isEmpty { return update }
        return nil
    }
}
