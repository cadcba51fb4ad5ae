internal import Synchronization

/// A value that one task waits for, and that any task may set, once, before or after the wait begins.
final class PendingValue<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case settled(Value)
    }

    private let state = Mutex(State.open)

    /// Sets the value; later values are dropped.
    func settle(_ value: Value) {
        let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .settled(value)
                return nil
            case .awaited(let continuation):
                state = .settled(value)
                return continuation
            case .settled:
                return nil
            }
        }
        waiting?.resume(returning: value)
    }

    /// Waits for the value. Only one task may wait.
    func get() async -> Value {
        await withCheckedContinuation { continuation in
            let settled: Value? = state.withLock { state in
                if case .settled(let value) = state { return value }
                state = .awaited(continuation)
                return nil
            }
            if let settled { continuation.resume(returning: settled) }
        }
    }
}
