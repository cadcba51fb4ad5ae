import DNSSD
import EventLoops
import Synchronization
import TestSupport
import Testing

@testable import MulticastDNS

/// The one engine of all browses and publications, also when the system cannot provide a thread for it.
@Suite(.timeLimit(.minutes(1))) struct MulticastDNSBackendTests {
    /// A function that creates loops, and fails the first times, as often as the test wants.
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
            if isRefused { throw SystemError(call: "eventfd", code: 24) }
            return try SocketLoop(name: "test", clock: clock)
        }
    }

    private let clock = TurnedClock()

    private func backend(_ loops: Loops) -> MulticastDNSBackend {
        MulticastDNSBackend(
            configuration: MulticastDNSConfiguration(),
            logger: nil,
            clock: clock,
            makeLoop: loops.make
        )
    }

    /// Uses the backend, which must have an engine.
    private func use(_ backend: MulticastDNSBackend, _ body: (MulticastDNSEngine) async -> Void) async {
        await backend.withEngine(onTrouble: { Issue.record("\($0)") }, body)
    }

    /// Rule: the lack of a thread or descriptor may be temporary. The system is asked again every 2 s, and each failure
    /// is reported.
    @Test func anEngineIsAskedForAgainEveryTwoSeconds() async {
        let loops = Loops(failures: 2)
        let backend = backend(loops)
        let (troubles, trouble) = AsyncStream.makeStream(of: BackendError.self)
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        await withDiscardingTaskGroup { group in
            group.addTask {
                await backend.withEngine {
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
        var codes: [BackendError.Code] = []
        for await error in troubles { codes.append(error.code) }
        #expect(codes == [.internalFault, .internalFault] && loops.count == 3 && clock.sleepers == 0)
    }

    /// Rule: a browse that waits for an engine ends at once when it is cancelled, and has reported why it sees nothing.
    @Test func whoWaitsForAnEngineIsLetGo() async {
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
        var told: [BrowseEvent] = []
        for await events in reports { told += events }
        #expect(told.count == 1 && loops.count == 1 && clock.sleepers == 0)
        guard case .status(.unavailable(let error)) = told.first else {
            Issue.record("\(told)")
            return
        }
        #expect(error.code == .internalFault)
    }

    /// Rule: a backend that is not in use has no thread; all its users share one engine, which uses the backend's
    /// clock.
    @Test func allHaveOneEngineAndTheLastLetsItGo() async {
        let loops = Loops(failures: 0)
        let backend = backend(loops)
        await use(backend) { first in
            #expect(await first.clock as? TurnedClock === clock)
            await use(backend) { second in #expect(second === first) }
            await use(backend) { third in #expect(third === first) }
        }
        #expect(loops.count == 1)
        await use(backend) { _ in }
        #expect(loops.count == 2, "it was let go")
    }
}
