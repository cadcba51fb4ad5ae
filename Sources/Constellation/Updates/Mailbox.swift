internal import DequeModule
internal import Synchronization

/// The updates that wait for one reader. Bounded: a snapshot replaces changes that do not fit.
final class Mailbox: Sendable {
    /// The next item for the reader.
    enum Taken {
        case change(BotMapChange, revision: UInt64)
        case snapshot(isFirst: Bool)
        case empty
        case finished
    }

    private struct State {
        var changes: Deque<(change: BotMapChange, revision: UInt64)> = []
        var isFirst = true
        var needsSnapshot = true
        var isFinished = false

        /// The problems among the changes that a snapshot will replace.
        var missedProblems: [BotMapProblem] = []

        /// The continuations, one for each call that waits: copies of an iterator can wait at the same time.
        var wakers: [CheckedContinuation<Void, Never>] = []

        mutating func takeWakers() -> [CheckedContinuation<Void, Never>] {
            let taken = wakers
            wakers = []
            return taken
        }
    }

    /// The maximum number of problems that are kept when their changes are dropped.
    private static let problemsKept = 64

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds changes, all of one revision.
    func put(_ changes: [BotMapChange], revision: UInt64) {
        let wakers = state.withLock { state in
            if !state.needsSnapshot, state.changes.count + changes.count <= limit {
                state.changes += changes.map { ($0, revision) }
            } else {
                // The snapshot also contains the changes that wait; after it, they would be outdated.
                let missed = state.changes.map(\.change) + changes
                state.missedProblems += missed.compactMap(Self.problem)
                state.missedProblems.removeFirst(max(0, state.missedProblems.count - Self.problemsKept))
                state.changes = []
                state.needsSnapshot = true
            }
            return state.takeWakers()
        }
        for waker in wakers { waker.resume() }
    }

    private static func problem(_ change: BotMapChange) -> BotMapProblem? {
        if case .problem(let problem) = change { problem } else { nil }
    }

    /// Takes the next item.
    func take() -> Taken {
        state.withLock { state in
            if state.needsSnapshot {
                // Copies of an iterator that take at the same time must not both be the first.
                defer { state.isFirst = false }
                return .snapshot(isFirst: state.isFirst)
            }
            if let (change, revision) = state.changes.popFirst() { return .change(change, revision: revision) }
            return state.isFinished ? .finished : .empty
        }
    }

    /// Starts over with a snapshot that is being made: later changes are not in it.
    ///
    /// - Returns: The problems that the reader has missed.
    func restart() -> [BotMapProblem] {
        state.withLock { state in
            let missed = state.missedProblems
            state.missedProblems = []
            state.changes = []
            state.needsSnapshot = false
            return missed
        }
    }

    /// Records that there will be no more updates.
    func finish() {
        let wakers = state.withLock { state in
            state.isFinished = true
            return state.takeWakers()
        }
        for waker in wakers { waker.resume() }
    }

    /// Waits until there may be an item. A cancelled task ends its reader, including the copies that share it.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.isFinished || state.needsSnapshot || !state.changes.isEmpty { return true }
                    state.wakers.append(continuation)
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            finish()
        }
    }

    /// The number of calls that wait.
    var waiting: Int { state.withLock { $0.wakers.count } }
}

/// A reader's mailbox, as long as there is a reader.
struct WeakMailbox {
    weak var mailbox: Mailbox?
}
