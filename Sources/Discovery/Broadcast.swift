internal import Synchronization

/// A value that changes, and any number of readers who want to know: each gets the present value, then every new one.
///
/// A reader that is slow finds the latest of them; see the limit of ``stream(limit:)``.
package final class Broadcast<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var isFinished = false
        var lastReader = 0
        var readers: [Int: AsyncStream<Value>.Continuation] = [:]
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        self.state = Mutex(State(value: value))
    }

    /// The present value.
    package var value: Value { state.withLock { $0.value } }

    /// Replaces the value, and tells.
    package func send(_ value: Value) {
        state.withLock { state in
            state.value = value
            for reader in state.readers.values { reader.yield(value) }
        }
    }

    /// Ends every reader. Those who come later get the present value and the end.
    package func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return state.readers
        }
        // Without the lock: the end of a stream calls back into `onTermination`, which takes it.
        for reader in readers.values { reader.finish() }
    }

    /// Begins anew after ``finish()``.
    package func restart(_ value: Value) {
        state.withLock { state in
            state.value = value
            state.isFinished = false
        }
    }

    /// The present value and those to come, of which the latest `limit` are kept.
    package func stream(limit: Int) -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(limit)) { continuation in
            let (id, isFinished) = state.withLock { state in
                state.lastReader += 1
                continuation.yield(state.value)
                if !state.isFinished { state.readers[state.lastReader] = continuation }
                return (state.lastReader, state.isFinished)
            }
            guard !isFinished else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.readers.removeValue(forKey: id) }
            }
        }
    }
}
