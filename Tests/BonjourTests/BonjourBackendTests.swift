import DNSSD
import EventLoops
import Synchronization
import TestSupport
import Testing

@testable import Bonjour

/// The loop that all browses and publications share, also when the system cannot provide one at first.
@Suite(.timeLimit(.minutes(1))) struct BonjourBackendTests {
    /// A factory of loops that fails a given number of times before it succeeds.
    private final class Loops: Sendable {
        private let state: Mutex<(failures: Int, made: Int)>

        init(failures: Int) { state = Mutex((failures, 0)) }

        /// The number of attempts to create a loop.
        var count: Int { state.withLock { $0.made } }

        func make(_ clock: any MonotonicClock) throws(SystemError) -> SocketLoop {
            let isRefused = state.withLock { state in
                state.made += 1
                return state.made <= state.failures
            }
            if isRefused { throw BonjourBackendTests.refusal }
            return try SocketLoop(name: "test", clock: clock)
        }
    }

    fileprivate static let refusal = SystemError(call: "eventfd", code: 24)

    private let clock = TurnedClock()

    private func backend(_ loops: Loops) -> BonjourBackend {
        BonjourBackend(maximumServices: 0, clock: clock, makeLoop: loops.make)
    }

    /// Uses the backend's environment, and records an issue if its loop cannot be created.
    private func use(_ backend: BonjourBackend, _ body: (SessionEnvironment) async -> Void) async {
        await backend.withEnvironment(onTrouble: { Issue.record("\($0)") }, body)
    }

    /// The backend tries every two seconds to create its loop, and reports each failure, since a lack of threads or
    /// descriptors may be temporary.
    @Test func aLoopIsAskedForAgainEveryTwoSeconds() async {
        let loops = Loops(failures: 2)
        let backend = backend(loops)
        let (troubles, trouble) = AsyncStream.makeStream(of: BackendError.self)
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        await withDiscardingTaskGroup { group in
            group.addTask {
                await backend.withEnvironment {
                    trouble.yield($0)
                } _: { _ in
                    begin.yield()
                }
            }
            for attempt in 1...2 {
                await clock.nextSleep()
                #expect(clock.waits == [.seconds(2)] && loops.count == attempt)
                clock.turn(by: .seconds(2))
            }
            for await _ in begins { break }
        }
        trouble.finish()
        var errors: [BackendError] = []
        for await error in troubles { errors.append(error) }
        let expected = BackendError(Self.refusal)
        #expect(errors == [expected, expected] && loops.count == 3 && clock.sleepers == 0)
    }

    /// A browse that waits for the loop reports why it sees nothing, and ends at once when it is cancelled.
    @Test func cancelledBrowseStopsWaitingForLoop() async {
        let loops = Loops(failures: .max)
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
        #expect(reported == [[.status(.unavailable(BackendError(Self.refusal)))]])
        #expect(loops.count == 1 && clock.sleepers == 0)
    }

    /// All users of the backend share one loop, which ends with its thread when the last user ends.
    @Test func allHaveOneLoopAndTheLastLetsItGo() async {
        let loops = Loops(failures: 0)
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
        let backend = backend(Loops(failures: 0))
        let instance = try ServiceInstance(name: "a", type: ServiceType(checkedName: "openclaw", transport: .tcp))
        backend.protect(instance, true)
        await use(backend) { #expect($0.protected.contains(instance)) }
        backend.protect(instance, false)
        await use(backend) { #expect(!$0.protected.contains(instance)) }
    }
}
