import Dispatch
import Synchronization
import Testing

@testable import HostSystem

@Suite(.timeLimit(.minutes(1))) struct BlockingCallsTests {
    private struct Counts {
        var running = 0
        var most = 0
        var ended = 0
    }

    /// Twenty calls run on at most three threads at once, and each of them runs: lookups of names block a thread each,
    /// however many there are.
    @Test func callsAtOnceAreLimited() async {
        let calls = BlockingCalls(most: 3)
        let counts = Mutex(Counts())
        let gate = DispatchSemaphore(value: 0)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<20 {
            calls.run {
                counts.withLock { counts in
                    counts.running += 1
                    counts.most = max(counts.most, counts.running)
                }
                begin.yield()
                gate.wait()
                counts.withLock { counts in
                    counts.running -= 1
                    counts.ended += 1
                }
                end.yield()
            }
        }
        var begun = begins.makeAsyncIterator()
        for _ in 0..<3 { await begun.next() }
        #expect(counts.withLock { $0.running } == 3)
        for _ in 0..<20 { gate.signal() }
        var ended = ends.makeAsyncIterator()
        for _ in 0..<20 { await ended.next() }
        #expect(counts.withLock { ($0.most, $0.ended) == (3, 20) })
    }
}
