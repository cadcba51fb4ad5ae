internal import Synchronization

/// Calls a report closure of a backend from one thread at a time, and not any more once it is closed.
///
/// Almost every report comes from the thread that speaks with the daemon. That the daemon does not answer must come from
/// another one, since then that thread waits.
package final class SerialReporter<Value>: Sendable {
    private let closure: Mutex<(@Sendable (Value) -> Void)?>

    package init(_ report: @escaping @Sendable (Value) -> Void) {
        self.closure = Mutex(report)
    }

    package func report(_ value: Value) {
        closure.withLock { $0?(value) }
    }

    /// Nothing is reported after this has returned.
    package func close() {
        closure.withLock { $0 = nil }
    }
}
