import DNSSD
import Reports
import Synchronization
import TestSupport
import Testing

@testable import Agent

/// How messages are delivered that a sink does not take at once.
@Suite(.timeLimit(.minutes(1))) struct CourierTests {
    /// A sink that answers as the test says, and keeps what it was given.
    private final class Sink: Sendable {
        private let outcomes: Mutex<[SinkOutcome]>
        let received = Mutex<[String]>([])
        let troubles = Mutex<[String?]>([])
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)

        init(_ outcomes: [SinkOutcome]) {
            self.outcomes = Mutex(outcomes)
        }

        func take(_ message: WaitingMessage) -> SinkOutcome {
            received.withLock { $0.append(message.id) }
            arrival.yield()
            return outcomes.withLock { $0.isEmpty ? .delivered("ok") : $0.removeFirst() }
        }
    }

    /// A journal that waits for its store however long that takes.
    private static func journal(_ store: NoticeStore) -> NoticeJournal {
        NoticeJournal(clock: TurnedClock()) {
            store
        } report: { _ in
        }
    }

    private static func run(
        _ outcomes: [SinkOutcome],
        messages: Int,
        until count: Int
    ) async throws -> (
        received: [String], troubles: [String?], ids: [String], clock: TurnedClock
    ) {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        let ids = (0..<messages).map { "m\($0)" }
        var next = ids.makeIterator()
        let notices = ids.map { _ in NoticeAction.tell(Notice(.test, [], at: .now)) }
        try store.take(notices, for: ["s"], at: .now) { next.next() ?? "" }
        let sink = Sink(outcomes)
        let clock = TurnedClock()
        let reports = AsyncStream.makeStream(of: Void.self)
        let journal = Self.journal(store)
        await journal.start()
        let writer = Task { await journal.run() }
        let courier = Courier(
            NoticeSink(name: "s", channel: .desktop),
            journal,
            clock: clock,
            deliver: { message, _ in sink.take(message) },
            report: { trouble in
                sink.troubles.withLock { $0.append(trouble) }
                reports.continuation.yield()
            }
        )
        let task = Task { await courier.run(AsyncStream<Void> { _ in }) }
        let turning = Task {
            while !Task.isCancelled {
                await clock.nextSleep()
                clock.turn(by: .seconds(3_600))
            }
        }
        var arrivals = sink.arrivals.makeAsyncIterator()
        for _ in 0..<count { _ = await arrivals.next() }
        // Everything is delivered when it says so.
        var said = reports.stream.makeAsyncIterator()
        while await journal.next(for: "s") != nil { _ = await said.next() }
        await Self.end(task, journal, writer)
        turning.cancel()
        #expect(try store.waiting(for: "s").isEmpty)
        return (sink.received.withLock(\.self), sink.troubles.withLock(\.self), ids, clock)
    }

    @Test func allArriveInOrderAfterFailures() async throws {
        let failures = [SinkOutcome.failed("500", retryAfter: nil), .failed("429", retryAfter: .seconds(30))]
        let result = try await Self.run(failures, messages: 3, until: 5)
        #expect(result.received == ["m0", "m0", "m0", "m1", "m2"])
        #expect(result.troubles.contains("s: 3 messages wait: 500"))
        #expect(result.troubles.last == .some(nil))
    }

    @Test func whatIsRefusedHoldsNothingUp() async throws {
        let result = try await Self.run([.refused("400")], messages: 2, until: 2)
        #expect(result.received == ["m0", "m1"])
    }

    /// A message that was never delivered is shown by the next run of the agent, too, also while another one waits.
    @Test func whatIsLostIsShownAfterARestart() async throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        try store.take([.tell(Notice(.test, [], at: .now))], for: ["s"], at: .now)
        try await Self.run(store, [.refused("400")], until: "s: a message was not taken: 400")
        try await Self.run(try NoticeStore(folder: folder.path), [], until: "s: a message was not taken: 400")
        try store.take([.tell(Notice(.test, [], at: .now))], for: ["s"], at: .now)
        try await Self.run(
            store,
            [.failed("500", retryAfter: nil)],
            until: "s: 1 message waits: 500; s: a message was not taken: 400"
        )
    }

    /// Runs a courier until it reports a trouble.
    private static func run(_ store: NoticeStore, _ outcomes: [SinkOutcome], until trouble: String) async throws {
        let sink = Sink(outcomes)
        let reports = AsyncStream.makeStream(of: String?.self)
        let journal = Self.journal(store)
        await journal.start()
        let writer = Task { await journal.run() }
        let courier = Courier(
            NoticeSink(name: "s", channel: .desktop),
            journal,
            clock: TurnedClock(),
            deliver: { message, _ in sink.take(message) },
            report: { reports.continuation.yield($0) }
        )
        let task = Task { await courier.run(AsyncStream<Void> { _ in }) }
        var all: [String?] = []
        for await report in reports.stream {
            all.append(report)
            if report == trouble || all.count > 3 { break }
        }
        #expect(all.last == trouble, "\(all)")
        await end(task, journal, writer)
    }

    private static func end(_ courier: Task<Void, Never>, _ journal: NoticeJournal, _ writer: Task<Void, Never>) async {
        for task in [courier, writer] {
            task.cancel()
            await task.value
        }
        await journal.end(at: .now)
    }

    @Test func pausesGrowAndEndAfterADay() {
        let now = Timestamp.now
        let pauses = (1...12).map { RetryPlan.pause(after: $0, of: now, asked: nil, now: now)?.components.seconds }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
        #expect(RetryPlan.pause(after: 1, of: now, asked: .seconds(60), now: now) == .seconds(60))
        let yesterday = now.advanced(by: .seconds(-86_400))
        #expect(RetryPlan.pause(after: 1, of: yesterday, asked: nil, now: now) == nil)
    }
}
