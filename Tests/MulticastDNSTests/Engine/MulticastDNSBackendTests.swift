import DNSSD
import TestSupport
import Testing

@testable import MulticastDNS

/// The engine that all browses and publications share, also when the system cannot provide a thread for it at first.
@Suite(.timeLimit(.minutes(1))) struct MulticastDNSBackendTests {
    private let clock = TurnedClock()

    private func backend(_ loops: LoopFactory) -> MulticastDNSBackend {
        MulticastDNSBackend(
            configuration: MulticastDNSConfiguration(),
            logger: nil,
            clock: clock,
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
}
