import DNSSD
import EventLoops
import Synchronization
import TestSupport
import Testing

@testable import MulticastDNS

/// The one engine of all browses and publications, and the system that has no thread to give it.
@Suite(.timeLimit(.minutes(1))) struct MulticastDNSBackendTests {
    /// The loops that were asked for: as many as are to fail do.
    private final class Loops: Sendable {
        private let state: Mutex<(failures: Int, made: Int)>

        init(failures: Int) { state = Mutex((failures, 0)) }

        /// The number that was asked for.
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

    /// Uses the backend, which has an engine.
    private func use(_ backend: MulticastDNSBackend, _ body: (MulticastDNSEngine) async -> Void) async {
        await backend.withEngine(onTrouble: { Issue.record("\($0)") }, body)
    }

    /// Rule: that the system gives no thread or descriptor can pass. It is asked again every 2 s, and each time is told.
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

    /// Rule: whoever waits for an engine is let go at once when cancelled, and has been told why there is nothing to see.
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

    /// Rule: a backend that is not in use has no thread; all who use it have the same engine, by the backend's clock.
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
