package import DNSSD
package import Reports
internal import Synchronization

/// The messages and the history of an agent: first in memory, from which the sinks get them, and then in the database.
///
/// What is told hangs on no disk. While the history cannot be written, such as on a full disk, what happens is kept here,
/// and is written as soon as that is possible; while a call of it hangs, nobody waits for it.
package actor NoticeJournal {
    /// The time for which a message waits until it is written down, so that an agent that is killed tells nothing twice.
    static let headStart = Duration.seconds(1)

    /// The time that the history has at the beginning; others may have it for seconds.
    static let openingTimeout = Duration.seconds(6)

    /// The time between two attempts to write.
    static let pause = Duration.seconds(5)

    private let open: @Sendable () throws -> NoticeStore
    private let clock: any MonotonicClock
    private let report: @Sendable (String?) -> Void
    private let wake: @Sendable () -> Void

    private let calls: TimedCalls
    private let opened = Mutex<NoticeStore?>(nil)
    private var pending = PendingChanges()
    private var queues: [String: MessageQueue] = [:]
    private var memory: [String: GatewayMemory] = [:]

    /// The sinks of which nobody knows yet what waits for them in the history.
    private var unread: Set<String> = []

    /// The last mutes that could be read, with their ends.
    private var mutes: [String: Timestamp] = [:]

    /// The reason why the history cannot be used; `nil` if it can.
    private var trouble: String?

    /// Indicates whether what is being written takes longer than anybody waits for it.
    private var isSlow = false
    private var hasBegun = false
    private var waiters: [AsyncStream<Void>.Continuation] = []
    private let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Makes a journal. It writes nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - clock: Measures the pauses between attempts, and how long the disk takes.
    ///   - open: Opens the history. It is called on a thread of its own, and again until it succeeds.
    ///   - report: Is told why the history cannot be used; `nil` when it can.
    ///   - wake: Is told when messages were added.
    package init(
        clock: any MonotonicClock = ContinuousClock(),
        open: @escaping @Sendable () throws -> NoticeStore,
        report: @escaping @Sendable (String?) -> Void,
        wake: @escaping @Sendable () -> Void = {}
    ) {
        (self.clock, self.open, self.report, self.wake) = (clock, open, report, wake)
        calls = TimedCalls(clock: clock)
    }

    /// The history; `nil` while it is not open.
    package nonisolated var store: NoticeStore? { opened.withLock(\.self) }

    /// The memory of the gateways that are watched, by their keys; `nil` while nobody knows them.
    package var gateways: [String: GatewayMemory]? { hasBegun ? memory : nil }

    /// Opens the history, if it can be opened in its time.
    package func start() async {
        let open = open
        switch await calls.make(within: Self.openingTimeout, { Result { try open() } }) {
        case .success(let store)?: opened.withLock { $0 = store }
        case .failure(let error)?: note("\(error)")
        case nil: note("it cannot be opened in \(Self.openingTimeout.components.seconds) s")
        }
    }

    /// Takes in that an agent begins to look.
    ///
    /// - Returns: What the last one has remembered, as far as it can be read.
    package func begin(at time: Timestamp) async -> NoticeMemory {
        let found =
            await read(within: Self.openingTimeout) { store throws(NoticeStoreError) in try NoticeMemory(store) }
            ?? NoticeMemory()
        memory = Dictionary(found.gateways.map { ($0.subject.key, $0.memory) }) { first, _ in first }
        hasBegun = true
        append(.begin(at: time))
        return found
    }

    /// Takes in what has followed from facts. The messages go out, whatever becomes of the rest.
    package func take(_ actions: [NoticeAction], for sinks: [String], at time: Timestamp) {
        var messages: [WaitingMessage] = []
        for action in actions {
            switch action {
            case .tell(let notice): messages.append(WaitingMessage(notice))
            case .remember(let subject, let found): memory[subject.key] = found
            case .forget(let key): memory[key] = nil
            default: break
            }
        }
        append(.take(actions, ids: messages.map(\.id), sinks: sinks, at: time))
        guard !messages.isEmpty else { return }
        for sink in sinks {
            for message in messages { queues[sink, default: MessageQueue(sink)].add(message, at: time) }
        }
        wake()
    }

    /// Takes in that the agent ends, and writes what is left, if the disk takes it in time.
    package func end(at time: Timestamp) async {
        if hasBegun { take([], for: [], at: time) }
        guard !pending.isEmpty else { return }
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        Task {
            await write()
            end.finish()
        }
        let clock = clock
        let timer = Task {
            try await clock.sleep(for: Self.headStart)
            end.finish()
        }
        // The task of the agent is cancelled by now.
        await Task { for await _ in ends {} }.value
        timer.cancel()
    }

    // MARK: Sinks

    /// Begins to give out the messages for a sink, with those that wait for it in the history.
    func begin(_ sink: String) async {
        let unwritten = pending.messages
        let finished = pending.finished(for: sink)
        let found = await read { store throws(NoticeStoreError) in
            (waiting: try store.waiting(for: sink), lost: try store.lastLoss(of: sink, at: .now))
        }
        guard let found else {
            unread.insert(sink)
            return
        }
        unread.remove(sink)
        let gone = finished.union(pending.finished(for: sink))
        queues[sink, default: MessageQueue(sink)]
            .restore(found.waiting.filter { !gone.contains($0.id) }, found.lost) { message in
                unwritten.contains(message.id) || pending.hasMessage(message.id)
            }
    }

    /// Returns the oldest message that waits for a sink, and the number of all that do; `nil` if none does.
    func next(for sink: String) async -> (message: WaitingMessage, count: Int)? {
        guard let first = queues[sink]?.first else { return nil }
        if pending.hasMessage(first.id) { await waitUntilWritten() }
        return queues[sink].flatMap { queue in queue.first.map { ($0, queue.count) } }
    }

    /// Takes in that a message was delivered to a sink, or never will be.
    func finish(_ message: WaitingMessage, for sink: String, loss: String? = nil, at time: Timestamp = .now) {
        queues[sink]?.finish(message.id, loss: loss, at: time)
        append(.finished(id: message.id, sink: sink, loss: loss, at: time))
    }

    /// Takes in that a message could not be delivered to a sink.
    func noteFailure(of message: WaitingMessage, for sink: String) {
        queues[sink]?.noteFailure(of: message.id)
        append(.failed(id: message.id, sink: sink))
    }

    /// Returns a text about the messages of a sink that were lost; `nil` if none was lately.
    func loss(of sink: String, at time: Timestamp = .now) -> String? { queues[sink]?.loss(at: time) }

    /// Returns what waits for sinks that the settings do not have; `nil` if that cannot be read.
    ///
    /// - Parameter isChanged: Indicates whether the settings have changed: whoever did that has seen what was lost before.
    package func unclaimed(
        besides sinks: [String],
        isChanged: Bool,
        at time: Timestamp
    ) async -> UnclaimedMessages? {
        await read { store throws(NoticeStoreError) in
            if isChanged { try store.forgetLost(besides: sinks) }
            return try store.unclaimed(besides: sinks, at: time)
        }
    }

    /// Returns the keys of the gateways of which nothing is told now: as of the last time at which that could be read.
    package func muted(at time: Timestamp) async -> Set<String> {
        mutes = await read { store throws(NoticeStoreError) in try store.mutes(at: time) } ?? mutes
        return Set(mutes.filter { $0.value > time }.keys)
    }

    // MARK: The history

    /// Writes down what comes, until the task is cancelled.
    package func run() async {
        for await _ in changes {
            while !pending.isEmpty, !Task.isCancelled {
                if await !write() { try? await clock.sleep(for: Self.pause) }
            }
        }
    }

    private func append(_ new: NoticeChange) {
        pending.append(new)
        change.yield()
    }

    /// The outcome of an attempt to write.
    private struct Outcome: Sendable {
        var store: NoticeStore?

        /// The number of changes that are written.
        var count = 0
        var trouble: String?
    }

    /// Writes what is to be written, however long that takes.
    ///
    /// - Returns: `false` if that has failed.
    @discardableResult
    private func write() async -> Bool {
        let (changes, open, former) = (pending.begin(), open, store)
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            calls.run {
                var outcome = Outcome(store: former)
                do {
                    let store = try former ?? open()
                    outcome.store = store
                    for change in changes {
                        try change.write(to: store)
                        outcome.count += 1
                    }
                } catch {
                    outcome.trouble = "\(error)"
                }
                continuation.resume(returning: outcome)
            }
        }
        pending.end(written: outcome.count)
        isSlow = false
        let hasFailed = outcome.trouble != nil
        if hasFailed || pending.isEmpty {
            for waiter in waiters { waiter.finish() }
            waiters = []
        }
        if former == nil, let store = outcome.store {
            opened.withLock { $0 = store }
            wake()
        }
        if !hasFailed, !unread.isEmpty {
            for sink in unread { await begin(sink) }
            wake()
        }
        note(outcome.trouble)
        return !hasFailed
    }

    /// Waits until all is written, or that has failed; not for long, and not at all while it cannot be expected.
    private func waitUntilWritten() async {
        guard trouble == nil, !isSlow, !calls.areLate else { return }
        let (written, waiter) = AsyncStream.makeStream(of: Void.self)
        waiters.append(waiter)
        let clock = clock
        let timer = Task {
            try await clock.sleep(for: Self.headStart)
            waiter.yield()
            waiter.finish()
        }
        for await _ in written {
            isSlow = true
            note("it takes longer than \(Self.headStart.components.seconds) s to write to it")
        }
        timer.cancel()
    }

    /// Reads something; `nil` if that fails or takes too long.
    private func read<Value: Sendable>(
        within time: Duration = headStart,
        _ body: @escaping @Sendable (NoticeStore) throws(NoticeStoreError) -> Value
    ) async -> Value? {
        guard let store else { return nil }
        let result = await calls.make(within: time) { Result { () throws(NoticeStoreError) in try body(store) } }
        switch result {
        case .success(let value)?: return value
        case .failure(let error)?: note(error.description)
        case nil: break
        }
        return nil
    }

    /// Takes in why the history cannot be used.
    private func note(_ reason: String?) {
        let lost = pending.areIncomplete ? ", but for the oldest of it" : ""
        let now = reason.map { "what happens is kept in memory\(lost), and told from there: the history fails: \($0)" }
        guard now != trouble else { return }
        trouble = now
        report(now)
    }
}
