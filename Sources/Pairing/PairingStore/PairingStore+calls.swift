extension PairingStore {
    /// Calls the store on its own thread, and waits for the result without blocking the thread of this task.
    ///
    /// - Throws: The error of the closure; `cancelled` as soon as the task is cancelled. The closure
    ///   is called nevertheless.
    package func perform<Value: Sendable>(
        _ body: @escaping @Sendable (PairingStore) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await start(body).value
    }

    /// Calls the store as ``perform(_:)`` does, and waits for the result in a cancelled task, too: for what must be known to
    /// have been done or not.
    package func performToEnd<Value: Sendable>(
        _ body: @escaping @Sendable (PairingStore) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await start(body).result().get()
    }

    /// Starts a call of the store on its own thread. Calls are made in the order in which they were started.
    package func start<Value: Sendable>(
        _ body: @escaping @Sendable (PairingStore) throws(StoreError) -> Value
    ) -> StoreCall<Value> {
        database.calls.start { () throws(StoreError) in try body(self) }
    }

    /// Waits until all calls that were started before have been made, or for a time; also in a cancelled task.
    package func settle(within time: Duration) async {
        await database.calls.settle(within: time)
    }
}
