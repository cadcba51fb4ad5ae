/// Calls that wake a task which waits; any number of them before it waits again counts as one.
struct WakeCalls: Sendable {
    private let calls: AsyncStream<Void>
    private let caller: AsyncStream<Void>.Continuation

    init() {
        (calls, caller) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func wake() { caller.yield() }

    /// Waits until something may have changed.
    ///
    /// - Parameters:
    ///   - pause: The least time.
    ///   - interval: The most time after that; `nil` for any.
    func wait(after pause: Duration, atMost interval: Duration?) async throws {
        try await Task.sleep(for: pause)
        let alarm = interval.map { interval in
            Task {
                try await Task.sleep(for: interval)
                wake()
            }
        }
        defer { alarm?.cancel() }
        var iterator = calls.makeAsyncIterator()
        _ = await iterator.next()
    }
}
