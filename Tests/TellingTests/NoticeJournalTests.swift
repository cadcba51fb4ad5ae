import Foundation
import GRDB
import Reports
import Synchronization
import TestSupport
import Testing

@testable import Agent

/// Telling depends on no disk: messages reach their sinks while the history fails, which is said, and is written when it
/// can be.
@Suite(.timeLimit(.minutes(1))) struct NoticeJournalTests {
    private static let subject = Notice.Subject(key: "g", name: "Home")
    private static let sink = "s"

    /// A journal that writes, with what it reports.
    private final class Stage: Sendable {
        let journal: NoticeJournal
        let clock = TurnedClock()
        let (reports, report) = AsyncStream.makeStream(of: String?.self)
        private let writer: Task<Void, Never>

        init(_ open: @escaping @Sendable () throws -> NoticeStore) {
            let report = report
            let journal = NoticeJournal(clock: clock, open: open) { report.yield($0) }
            self.journal = journal
            writer = Task { await journal.run() }
        }

        /// Waits until the history is said to fail, or to work.
        func wait(isFailing: Bool) async -> String? {
            for await trouble in reports where (trouble != nil) == isFailing { return trouble }
            return nil
        }

        /// Waits until the next attempt to write is waited for.
        func waitForPause() async {
            while !clock.waits.contains(NoticeJournal.pause) { await clock.nextSleep() }
        }

        func end() async {
            writer.cancel()
            await writer.value
            await journal.end(at: .now)
        }
    }

    private static func tell(_ journal: NoticeJournal, _ kind: Notice.Kind) async {
        let notice = Notice(kind, [subject], at: .now)
        var actions = [NoticeAction.tell(notice)]
        if kind == .gone { actions.append(.outageBegan(subject, at: .now, reason: "refused")) }
        await journal.take(actions, for: [sink], at: .now)
    }

    /// While nothing can be written, such as on a full disk, what happens is told; and it is in the history later.
    @Test func aDiskThatRefusesHoldsNothingUp() async throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        try store.refuseChanges(true)
        let stage = Stage { store }
        await stage.journal.start()
        _ = await stage.journal.begin(at: .now)
        await stage.journal.begin(Self.sink)
        await Self.tell(stage.journal, .gone)
        let first = try #require(await stage.journal.next(for: Self.sink))
        #expect(first.message.kind == .gone)
        await stage.journal.finish(first.message, for: Self.sink)
        await Self.tell(stage.journal, .back)
        #expect(await stage.journal.next(for: Self.sink)?.message.kind == .back)
        let trouble = await stage.wait(isFailing: true)
        #expect(trouble?.contains("kept in memory") == true && trouble?.contains("the disk is full") == true)
        #expect(try store.waiting(for: Self.sink).isEmpty)

        await stage.waitForPause()
        try store.refuseChanges(false)
        stage.clock.turn(by: NoticeJournal.pause)
        #expect(await stage.wait(isFailing: false) == nil)
        await stage.end()
        #expect(try store.waiting(for: Self.sink).map(\.kind) == [.back])
        let outages = try store.history(since: Timestamp(milliseconds: 0), now: .now).outages
        #expect(outages.map(\.reason) == ["refused"])
    }

    /// A history that cannot be opened is opened later, with what waits in it, before what has come since.
    @Test func aHistoryThatCannotBeOpenedIsOpenedLater() async throws {
        struct Full: Error, CustomStringConvertible { let description = "No space left on device" }
        let folder = StoreFolder()
        try NoticeStore(folder: folder.path).take([.tell(Notice(.cutOff, [], at: .now))], for: [Self.sink], at: .now)
        let isFull = Atomic(true)
        let path = folder.path
        let stage = Stage {
            if isFull.load(ordering: .relaxed) { throw Full() }
            return try NoticeStore(folder: path)
        }
        await stage.journal.start()
        #expect(await stage.wait(isFailing: true)?.hasSuffix("No space left on device") == true)
        #expect(await stage.journal.begin(at: .now).gateways.isEmpty)
        await stage.journal.begin(Self.sink)
        await Self.tell(stage.journal, .gone)
        #expect(await stage.journal.next(for: Self.sink)?.message.kind == .gone)

        await stage.waitForPause()
        isFull.store(false, ordering: .relaxed)
        stage.clock.turn(by: NoticeJournal.pause)
        #expect(await stage.wait(isFailing: false) == nil)
        #expect(stage.journal.store != nil)
        #expect(await stage.journal.next(for: Self.sink).map { "\($0.message.kind!) \($0.count)" } == "cutOff 2")
        await stage.end()
    }

    /// A disk that hangs costs the first message a second, and the others nothing.
    @Test func aDiskThatHangsHoldsNothingUp() async throws {
        let folder = StoreFolder()
        let store = try NoticeStore(folder: folder.path)
        let stage = Stage { store }
        await stage.journal.start()
        _ = await stage.journal.begin(at: .now)
        await stage.journal.begin(Self.sink)
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            store.queue.inDatabase { _ in
                begin.finish()
                gate.wait()
            }
        }
        for await _ in begins {}
        await Self.tell(stage.journal, .gone)
        let (journal, clock) = (stage.journal, stage.clock)
        let first = Task { await journal.next(for: Self.sink)?.message.kind }
        // The head start, beside the timers of what was read.
        while clock.waits.isEmpty { await clock.nextSleep() }
        clock.turn(by: NoticeJournal.headStart)
        #expect(await first.value == .gone)
        #expect(await stage.wait(isFailing: true)?.contains("it takes longer than 1 s") == true)
        await Self.tell(journal, .back)
        #expect(await journal.next(for: Self.sink)?.count == 2)
        gate.signal()
        #expect(await stage.wait(isFailing: false) == nil)
        await stage.end()
    }

    /// Of more changes than there is room for, the oldest are lost, which is said; that an agent runs takes no room.
    @Test func theChangesInMemoryAreBounded() {
        var pending = PendingChanges()
        for _ in 0..<10 { pending.append(.take([], ids: [], sinks: [], at: .now)) }
        #expect(pending.begin().count == 1 && pending.isEmpty)
        for index in 0...PendingChanges.most { pending.append(.failed(id: "\(index)", sink: "s")) }
        #expect(pending.areIncomplete)
        pending.end(written: 0)
        let all = pending.begin()
        #expect(all.count <= PendingChanges.most && all.last?.isAlive == false)
        pending.end(written: all.count)
        #expect(pending.isEmpty && !pending.areIncomplete)
    }
}
