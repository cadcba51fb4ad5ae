import DNSSD
import HostSystem
import TestSupport
import Testing

@testable import Discovery

/// The engine that all browses and publications share, also when the system cannot provide a thread for it at first.
@Suite(.timeLimit(.minutes(1))) struct MulticastDNSBackendTests {
    private let clock = TurnedClock()

    private let engines = MulticastDNSBackend.Engines()

    private func backend(
        _ loops: LoopFactory,
        _ configuration: MulticastDNSConfiguration = MulticastDNSConfiguration()
    ) -> MulticastDNSBackend {
        MulticastDNSBackend(
            configuration: configuration,
            logger: nil,
            clock: clock,
            engines: engines,
            makeLoop: loops.make
        )
    }

    /// Uses the backend's engine, and records an issue if it cannot be created.
    private func use(_ backend: MulticastDNSBackend, _ body: (MulticastDNSEngine) async -> Void) async {
        await backend.withEngine(onTrouble: { Issue.record("\($0)") }, body)
    }

    /// A browse that waits for the engine reports why it sees nothing, and ends at once when it is cancelled.
    @Test func cancelledBrowseStopsWaitingForEngine() async {
        let loops = LoopFactory(failures: .max)
        let backend = backend(loops)
        let (reports, report) = AsyncStream.makeStream(of: [BrowseEvent].self)
        let browse = Task {
            await backend.browse(BrowseRequest(types: [])) { report.yield($0) }
        }
        await clock.nextSleep()
        browse.cancel()
        await browse.value
        report.finish()
        var reported: [BrowseEvent] = []
        for await events in reports { reported += events }
        #expect(reported.count == 1 && loops.count == 1 && clock.sleepers == 0)
        guard case .status(.unavailable(let error)) = reported.first else {
            Issue.record("\(reported)")
            return
        }
        #expect(error.code == .internalFault)
    }

    /// All users of the backend share one engine, which uses the backend's clock; the engine and its thread end with
    /// the last user.
    @Test func allHaveOneEngineAndTheLastLetsItGo() async {
        let loops = LoopFactory(failures: 0)
        let backend = backend(loops)
        await use(backend) { first in
            #expect(await first.clock as? TurnedClock === clock)
            await use(backend) { second in #expect(second === first) }
            await use(backend) { third in #expect(third === first) }
        }
        #expect(loops.count == 1)
        await use(backend) { _ in }
        #expect(loops.count == 2, "the first engine ended with its last user, so there is a new one")
    }

    /// Two hundred browsers, each with a backend of its own, take one thread and one engine, which end with the last of
    /// them. Other settings have an engine of their own.
    @Test func backendsOfEqualSettingsShareOneEngine() async {
        let loops = LoopFactory(failures: 0)
        let (ready, isReady) = AsyncStream.makeStream(of: MulticastDNSEngine.self)
        let (gate, open) = AsyncStream.makeStream(of: Never.self)
        await withDiscardingTaskGroup { group in
            let holder = Task { for await _ in gate {} }
            for _ in 0..<200 {
                group.addTask {
                    await use(backend(loops)) { engine in
                        isReady.yield(engine)
                        await holder.value
                    }
                }
            }
            var seen: Set<ObjectIdentifier> = []
            for await engine in ready.prefix(200) { seen.insert(ObjectIdentifier(engine)) }
            #expect(seen.count == 1 && loops.count == 1)
            await use(backend(loops, MulticastDNSConfiguration(maximumInstances: 7))) {
                #expect(!seen.contains(ObjectIdentifier($0)) && loops.count == 2)
            }
            open.finish()
        }
        weak var ended: MulticastDNSEngine?
        await use(backend(loops)) { ended = $0 }
        #expect(loops.count == 3, "the shared engine ended with its last user, so there is a new one")
        #expect(ended == nil, "nothing keeps an engine that nobody uses")
    }
}
