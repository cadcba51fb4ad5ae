import Testing

@testable import Discovery

/// One value, many readers.
@Suite struct BroadcastTests {
    /// Cancelling a task holds a lock of the runtime that waking it needs: whoever takes one of ours there, and wakes with ours
    /// held, waits for ever. Where that is so this test does not end.
    @Test func aReaderThatIsCancelledWhileSomethingIsSentHoldsNobodyUp() async {
        for _ in 1...5_000 {
            let broadcast = Broadcast(0)
            let reader = Task { for await _ in broadcast.stream(limit: 1) {} }
            let sender = Task { for number in 1...5 { broadcast.send(number) } }
            reader.cancel()
            await sender.value
            await reader.value
        }
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
