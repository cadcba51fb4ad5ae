import Glibc
import Testing

@testable import Discovery

/// A value with any number of readers.
@Suite struct BroadcastTests {
    /// A value that calls a closure when it is released; a broadcast releases its former value with its lock held.
    private final class DeinitAction: Sendable {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }

        deinit { body() }
    }

    @MainActor private final class Waits {
        var count = 0
    }

    /// The end of a reader does not take the broadcast's lock. The runtime calls the end with the lock of the cancelled
    /// task held, and ``Broadcast/send(_:)`` needs that lock to wake the task while it holds its own, so the two would
    /// deadlock.
    ///
    /// The test repeats this, since it is up to chance whether the reader is already waiting when it is cancelled, and
    /// runs in a process of its own, since a deadlock can only be ended from outside.
    @Test func theEndOfAReaderTakesNoLockThatASenderHolds() async {
        await #expect(processExitsWith: .exitCode(0), "no deadlock within 20 s") {
            alarm(20)
            for _ in 1...100 { await BroadcastTests.endAReaderWhileSending() }
            exit(0)
        }
    }

    @MainActor private static func endAReaderWhileSending() async {
        let broadcast = Broadcast(DeinitAction {})
        let waits = Waits()
        let reader = Task { @MainActor in
            var values = broadcast.stream(limit: 1).makeAsyncIterator()
            repeat { waits.count += 1 } while await values.next(isolation: #isolation) != nil
        }
        while waits.count < 2 { await Task.yield() }
        broadcast.send(DeinitAction { reader.cancel() })
        while waits.count < 3 { await Task.yield() }
        // Releases the former value with the lock held, which cancels the reader.
        broadcast.send(DeinitAction {})
        await reader.value
        broadcast.send(DeinitAction {})
        precondition(broadcast.readerCount == 0)
    }

    /// Ended readers are removed when a reader is added or a value is sent, so that they do not accumulate.
    @Test func endedReadersAreRemoved() async {
        let broadcast = Broadcast(0)
        for _ in 1...10 {
            let reader = Task { for await _ in broadcast.stream(limit: 1) {} }
            reader.cancel()
            await reader.value
        }
        #expect(broadcast.readerCount <= 1, "each new reader removes the ended ones")
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
