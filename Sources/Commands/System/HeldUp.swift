internal import HostSystem

/// Calls that another process or a disk may hold up for as long as they want, beside the thread of a verb that has less time.
enum HeldUp {
    private static let calls = BlockingCalls(most: 4)

    /// Makes a call, and waits for its result.
    ///
    /// - Parameter timeout: The longest time to wait.
    /// - Returns: The result; `nil` if it takes longer. The call goes on, and its result is dropped.
    static func wait<Value: Sendable>(
        for timeout: Duration,
        _ call: @escaping @Sendable () -> Value
    ) async -> Value? {
        let (results, result) = AsyncStream.makeStream(of: Value.self)
        calls.run { result.yield(call()) }
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask { await results.first { _ in true } }
            group.addTask {
                try? await Task.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
