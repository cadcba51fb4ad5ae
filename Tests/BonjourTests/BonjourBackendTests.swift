import DNSSD
import TestSupport
import Testing

@testable import Bonjour

/// The loop that all browses and publications share, also when the system cannot provide one at first.
@Suite(.timeLimit(.minutes(1))) struct BonjourBackendTests {
    private let clock = TurnedClock()

    private func backend(_ loops: LoopFactory) -> BonjourBackend {
        BonjourBackend(maximumServices: 0, clock: clock, makeLoop: loops.make)
    }

    /// Uses the backend's environment, and records an issue if its loop cannot be created.
    private func use(_ backend: BonjourBackend, _ body: (SessionEnvironment) async -> Void) async {
        await backend.withEnvironment(onTrouble: { Issue.record("\($0)") }, body)
    }

    /// A browse that waits for the loop reports why it sees nothing, and ends at once when it is cancelled.
    @Test func cancelledBrowseStopsWaitingForLoop() async {
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
        var reported: [[BrowseEvent]] = []
        for await events in reports { reported.append(events) }
        #expect(reported == [[.status(.unavailable(BackendError(LoopFactory.refusal)))]])
        #expect(loops.count == 1 && clock.sleepers == 0)
    }

    /// All users of the backend share one loop, which ends with its thread when the last user ends.
    @Test func allHaveOneLoopAndTheLastLetsItGo() async {
        let loops = LoopFactory(failures: 0)
        let backend = backend(loops)
        await use(backend) { first in
            await use(backend) { second in #expect(second.loop === first.loop) }
            await use(backend) { third in #expect(third.loop === first.loop) }
        }
        #expect(loops.count == 1)
        await use(backend) { _ in }
        #expect(loops.count == 2, "the first loop ended with its last user, so there is a new one")
    }

    @Test func sessionsHearWhatIsProtected() async throws {
        let backend = backend(LoopFactory(failures: 0))
        let instance = try ServiceInstance(name: "a", type: ServiceType(checkedName: "openclaw", transport: .tcp))
        backend.protect(instance, true)
        await use(backend) { #expect($0.protected.contains(instance)) }
        backend.protect(instance, false)
        await use(backend) { #expect(!$0.protected.contains(instance)) }
    }
}
