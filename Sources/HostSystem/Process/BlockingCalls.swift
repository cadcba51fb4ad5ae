internal import DequeModule
internal import Dispatch
internal import Synchronization

/// Blocking calls on threads of their own: a limited number at a time, while the others wait, oldest first.
package final class BlockingCalls: Sendable {
    private struct State {
        var running = 0
        var waiting: Deque<@Sendable () -> Void> = []
    }

    /// The maximum number of calls at a time.
    private let most: Int
    private let state = Mutex(State())

    /// - Parameter most: The maximum number of calls at a time, at least 1.
    package init(most: Int) {
        self.most = max(most, 1)
    }

    /// Runs a call as soon as a thread is free. Returns at once.
    package func run(_ call: @escaping @Sendable () -> Void) {
        let isThreadFree = state.withLock { state in
            guard state.running < most else {
                state.waiting.append(call)
                return false
            }
            state.running += 1
            return true
        }
        guard isThreadFree else { return }
        DispatchQueue.global().async {
            var next: (@Sendable () -> Void)? = call
            while let call = next {
                call()
                next = self.state.withLock { state in
                    let next = state.waiting.popFirst()
                    if next == nil { state.running -= 1 }
                    return next
                }
            }
        }
    }
}
