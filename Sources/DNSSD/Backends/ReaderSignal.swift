internal import Synchronization

/// A signal that there may be something new for a reader, for which any number of calls can wait: copies of an iterator
/// can wait at the same time. It holds nothing, so that nothing has to be dropped when a reader is slow.
///
/// Whoever has news stores them first, and then raises the signal. A reader lowers it, takes the news, and waits if there
/// were none; in this order, it misses nothing.
package final class ReaderSignal: Sendable {
    private struct State {
        var isRaised = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []

        mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Wakes all calls that wait. If none does, the next one returns at once.
    package func raise() {
        let waiters = state.withLock { state in
            state.isRaised = true
            return state.takeWaiters()
        }
        // Not with the lock held: waking a task takes its lock, and cancelling it takes ours with that one held.
        for waiter in waiters { waiter.resume() }
    }

    /// Forgets that it was raised, since the news are about to be taken.
    package func lower() { state.withLock { $0.isRaised = false } }

    /// Ends it for good: no call waits any more.
    package func end() {
        let waiters = state.withLock { state in
            state.hasEnded = true
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Indicates whether it has ended.
    package var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Waits until it is raised or has ended. A task that is cancelled while it waits ends it.
    package func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNow = state.withLock { state in
                    if state.isRaised || state.hasEnded { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isNow { continuation.resume() }
            }
        } onCancel: {
            end()
        }
    }

    /// The number of calls that wait.
    package var waiting: Int { state.withLock { $0.waiters.count } }
}
