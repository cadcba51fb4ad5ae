internal import Glibc
internal import Testing

@testable internal import HostSystem

/// The part that all loops share, whatever their poller waits for: the life of the thread and the order of its work.
@Suite("EventLoop", .timeLimit(.minutes(1))) struct EventLoopTests {
    /// A poller that waits only for work, and reports its start and its end.
    private final class ReportingPoller: EventPoller {
        private let report: AsyncStream<String>.Continuation

        init(_ report: AsyncStream<String>.Continuation) {
            self.report = report
        }

        func start(_ mailbox: LoopMailbox) {
            report.yield("start")
        }

        func turn(_ mailbox: LoopMailbox) {
            var wakeup = pollfd(fd: mailbox.wakeupDescriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&wakeup, 1, -1)
            mailbox.runItems()
        }

        func end() {
            report.yield("end")
            report.finish()
        }
    }

    /// An actor that runs on the thread of a loop.
    private actor Counter {
        private nonisolated let loop: EventLoop<ReportingPoller>
        private(set) var count = 0

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(_ loop: EventLoop<ReportingPoller>) {
            self.loop = loop
        }

        /// Counts a call, and returns whether it ran on the loop's thread.
        func add() -> Bool {
            count += 1
            return loop.isIsolatingCurrentContext() ?? false
        }
    }

    /// No signal is lost: otherwise, the loop would sleep for ever although there is work.
    @Test("loses no signal, however many there are before the loop wakes")
    func wakeup() throws {
        let wakeup = try WakeupDescriptor()
        func isReadable() -> Bool {
            var descriptor = pollfd(fd: wakeup.number, events: Int16(POLLIN), revents: 0)
            return poll(&descriptor, 1, 0) == 1
        }
        for _ in 0..<2 {
            #expect(!isReadable())
            var taken = 0
            for _ in 0..<10_000 where wakeup.signal() { taken += 1 }
            #expect(taken == 10_000)
            #expect(isReadable())
            wakeup.drain()
        }
    }

    @Test("runs all queued work before it ends, and ends its poller last")
    func order() async throws {
        let (stream, report) = AsyncStream.makeStream(of: String.self)
        do {
            let loop = try EventLoop(name: "test", poller: ReportingPoller(report))
            for number in 0..<3 { loop.later { report.yield("work \(number)") } }
        }
        var reported: [String] = []
        for await line in stream { reported.append(line) }
        #expect(reported == ["start", "work 0", "work 1", "work 2", "end"])
    }

    /// All jobs run on the loop's thread: a call to a C library from another thread would be a data race that no other
    /// test finds.
    @Test("runs every job of its actors on its thread, also the last one, which releases the loop")
    func jobs() async throws {
        let (stream, report) = AsyncStream.makeStream(of: String.self)
        do {
            let counter = Counter(try EventLoop(name: "test", poller: ReportingPoller(report)))
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 { group.addTask { await counter.add() } }
                for await isOnThread in group { #expect(isOnThread) }
            }
            #expect(await counter.count == 100)
        }
        var last: String?
        for await line in stream { last = line }
        #expect(last == "end")
    }
}
