import Glibc
import Testing

@testable import Discovery

/// One value, many readers.
@Suite struct BroadcastTests {
    /// Does something when it is let go, as a broadcast does with its lock held.
    private final class LastWord: Sendable {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }

        deinit { body() }
    }

    @MainActor private final class Waits {
        var count = 0
    }

    /// Cancelling a task holds a lock of the runtime that waking it needs: what takes one of ours at its end, and wakes with
    /// ours held, waits for ever.
    ///
    /// Many times: whether the reader waits already when it is cancelled is chance, as in life. In a process of its own: two
    /// threads that wait for each other can be ended from outside alone.
    @Test func theEndOfAReaderTakesNoLockThatASenderHolds() async {
        await #expect(processExitsWith: .exitCode(0), "it ends, and within 20 s") {
            alarm(20)
            for _ in 1...100 { await BroadcastTests.endAReaderWhileSending() }
            exit(0)
        }
    }

    @MainActor private static func endAReaderWhileSending() async {
        let broadcast = Broadcast(LastWord {})
        let waits = Waits()
        let reader = Task { @MainActor in
            var values = broadcast.stream(limit: 1).makeAsyncIterator()
            repeat { waits.count += 1 } while await values.next(isolation: #isolation) != nil
        }
        while waits.count < 2 { await Task.yield() }
        broadcast.send(LastWord { reader.cancel() })
        while waits.count < 3 { await Task.yield() }
        // Lets go of the one before, with the lock held.
        broadcast.send(LastWord {})
        await reader.value
        broadcast.send(LastWord {})
        precondition(broadcast.readerCount == 0)
    }

    @Test func whoHasGoneIsForgotten() async {
        let broadcast = Broadcast(0)
        for _ in 1...10 {
            let reader = Task { for await _ in broadcast.stream(limit: 1) {} }
            reader.cancel()
            await reader.value
        }
        #expect(broadcast.readerCount <= 1, "each new one has those before it forgotten")
        broadcast.send(1)
        #expect(broadcast.readerCount == 0)
    }

    @Test func aReaderGetsThePresentValueAndTheLatest() async {
        let broadcast = Broadcast(0)
        let stream = broadcast.stream(limit: 2)
        for number in 1...3 { broadcast.send(number) }
        broadcast.finish()
        var read: [Int] = []
        for await number in stream { read.append(number) }
        #expect(read == [2, 3])
        var late: [Int] = []
        for await number in broadcast.stream(limit: 2) { late.append(number) }
        #expect(late == [3])
    }
}
