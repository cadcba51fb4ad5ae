internal import Synchronization

/// A value that changes, with any number of readers: each gets the current value, then every new one.
///
/// A slow reader gets the latest values; see the limit of ``stream(limit:)``.
///
/// The end of a reader takes no lock: when its task is cancelled, the runtime calls this class with the task's own lock
/// held, and ``send(_:)``, which holds the lock of this class, needs the task's lock to wake it. Each would wait for
/// the other for ever.
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

        /// Replaces the value and passes it on, under the lock, so that all readers get all values in the same order.
        mutating func send(_ value: Value) {
            self.value = value
            for reader in readers { reader.continuation.yield(value) }
            removeEndedReaders()
        }

        mutating func removeEndedReaders() {
            readers.removeAll { $0.end.hasCome.load(ordering: .relaxed) }
        }
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        self.state = Mutex(State(value: value))
    }

    /// The current value.
    package var value: Value { state.withLock { $0.value } }

    /// Replaces the value, and passes it to every reader.
    package func send(_ value: Value) {
        state.withLock { $0.send(value) }
    }

    /// The number of readers that are kept, including those that have ended since the latest value was sent or the
    /// latest reader was added.
    var readerCount: Int { state.withLock { $0.readers.count } }

    /// Ends every reader. Later readers get the current value and the end.
    package func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.continuation.finish() }
    }

    /// Returns the current value and later ones, of which the latest `limit` are kept.
    package func stream(limit: Int) -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(limit)) { continuation in
            let reader = Reader(continuation: continuation)
            continuation.onTermination = { [end = reader.end] _ in end.hasCome.store(true, ordering: .relaxed) }
            let isFinished = state.withLock { state in
                state.removeEndedReaders()
                continuation.yield(state.value)
                if !state.isFinished { state.readers.append(reader) }
                return state.isFinished
            }
            if isFinished { continuation.finish() }
        }
    }
}

extension Broadcast {
    /// Waits for a value that fits.
    ///
    /// - Parameters:
    ///   - deadline: The latest time at which to return.
    ///   - fits: Indicates whether it is one of those that are waited for.
    /// - Returns: The value; `nil` if none has come.
    package func first(
        until deadline: ContinuousClock.Instant,
        where fits: @escaping @Sendable (Value) -> Bool
    ) async -> Value? {
        let present = value
        guard !fits(present) else { return present }
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask { await self.stream(limit: 1).first(where: fits) }
            group.addTask {
                try? await Task.sleep(until: deadline, clock: .continuous)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

extension Broadcast where Value: Equatable {
    /// Replaces the value by the result of a closure, and passes it to every reader if it differs.
    ///
    /// - Parameter present: A closure that returns the current value. It is called with the lock held, so that of
    ///   several concurrent updates, the last to be passed on is also the last to be read. It must not use this
    ///   broadcast.
    package func update(_ present: () -> Value) {
        state.withLock { state in
            let value = present()
            if value != state.value { state.send(value) }
        }
    }
}
