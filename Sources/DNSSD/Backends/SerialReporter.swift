internal import Synchronization

/// Calls a backend's report closure from one thread at a time, and never again once it is closed.
///
/// Almost every report comes from the thread that talks to the daemon. The report that the daemon does not answer has
/// to come from another thread, because that thread is then waiting.
package final class SerialReporter<Value>: Sendable {
    private let closure: Mutex<(@Sendable (Value) -> Void)?>

    package init(_ report: @escaping @Sendable (Value) -> Void) {
        self.closure = Mutex(report)
    }

    package func report(_ value: Value) {
        closure.withLock { $0?(value) }
    }

    /// Drops the closure. Nothing is reported after this method has returned.
    package func close() {
        closure.withLock { $0 = nil }
    }
}
