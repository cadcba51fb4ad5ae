internal import Synchronization

/// A value that changes, and any number of readers who want to know: each gets the present value, then every new one.
///
/// A reader that is slow finds the latest of them; see the limit of ``stream(limit:)``.
///
/// The end of a reader takes no lock: when its task is cancelled the runtime tells us so with the task's own lock held,
/// which ``send(_:)``, with ours held, needs to wake that task. Each would wait for the other for ever.
package final class Broadcast<Value: Sendable>: Sendable {
    private struct Reader {
        let continuation: AsyncStream<Value>.Continuation
        let end = ReaderEnd()
    }

    /// The end of a reader: a flag that is set once the reader has gone.
    private final class ReaderEnd: Sendable {
        let hasCome = Atomic(false)
    }

    private struct State {
        var value: Value
        var isFinished = false
        var readers: [Reader] = []

        /// Under the lock, so that all get all in one order.
        mutating func send(_ value: Value) {
            self.value = value
            for reader in readers { reader.continuation.yield(value) }
            forgetThoseWhoHaveGone()
        }

        mutating func forgetThoseWhoHaveGone() {
            readers.removeAll { $0.end.hasCome.load(ordering: .relaxed) }
        }
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        self.state = Mutex(State(value: value))
    }

    /// The present value.
    package var value: Value { state.withLock { $0.value } }

    /// Replaces the value, and tells.
    package func send(_ value: Value) {
        state.withLock { $0.send(value) }
    }

    /// The number of readers that are held on to, including those who have gone since the latest value was sent or the
    /// latest reader came.
    var readerCount: Int { state.withLock { $0.readers.count } }

    /// Ends every reader. Those who come later get the present value and the end.
    package func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.continuation.finish() }
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
            let reader = Reader(continuation: continuation)
            continuation.onTermination = { [end = reader.end] _ in end.hasCome.store(true, ordering: .relaxed) }
            let isFinished = state.withLock { state in
                state.forgetThoseWhoHaveGone()
                continuation.yield(state.value)
                if !state.isFinished { state.readers.append(reader) }
                return state.isFinished
            }
            if isFinished { continuation.finish() }
        }
    }
}

extension Broadcast where Value: Equatable {
    /// Replaces the value by one that is found out now, and tells if that is another.
    ///
    /// - Parameter present: Returns the value as it is now. It is called with the lock held, so that of several who update at
    ///   once the last to tell is the last to look. It must not come back here.
    package func update(_ present: () -> Value) {
        state.withLock { state in
            let value = present()
            if value != state.value { state.send(value) }
        }
    }
}

/// The number of a reader of a browser's changes; never used twice.
struct ReaderID: Hashable, Sendable {
    let rawValue: Int
}
