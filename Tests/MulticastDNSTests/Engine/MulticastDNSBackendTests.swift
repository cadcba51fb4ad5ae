import DNSSD
import EventLoops
import Synchronization
import TestSupport
import Testing

@testable import MulticastDNS

/// The engine that all browses and publications share, also when the system cannot provide a thread for it at first.
@Suite(.timeLimit(.minutes(1))) struct MulticastDNSBackendTests {
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

    /// Uses the backend's engine, and records an issue if it cannot be created.
    private func use(_ backend: MulticastDNSBackend, _ body: (MulticastDNSEngine) async -> Void) async {
        await backend.withEngine(onTrouble: { Issue.record("\($0)") }, body)
    }

    /// The backend tries every two seconds to create its engine, and reports each failure, since a lack of threads or
    /// descriptors may be temporary.
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

    /// A browse that waits for the engine reports why it sees nothing, and ends at once when it is cancelled.
    @Test func cancelledBrowseStopsWaitingForEngine() async {
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
        let loops = Loops(failures: 0)
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
