internal import Synchronization

/// Calls a report closure from one thread at a time, and not any more once it is closed.
///
/// Almost every report comes from the thread of the poll loop. That the daemon does not answer must come from another
/// one, since then that thread waits.
final class SerialReporter<Value>: Sendable {
    private let closure: Mutex<(@Sendable (Value) -> Void)?>

    init(_ report: @escaping @Sendable (Value) -> Void) {
        self.closure = Mutex(report)
    }

    func report(_ value: Value) {
        closure.withLock { $0?(value) }
    }

    /// Nothing is reported after this has returned.
    func close() {
        closure.withLock { $0 = nil }
    }
}
