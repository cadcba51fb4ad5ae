package import Pairing
internal import Synchronization

/// The readings of the store that answers wait for. Another process that keeps the store must hold up neither whoever
/// asks nor the calls that come later: the store makes one after the other, each of which waits for seconds then.
package final class StoreReadings: Sendable {
    /// The time that a reading may take.
    private static let timeout = Duration.seconds(1)

    private struct State {
        var last = 0
        var starts: [Int: ContinuousClock.Instant] = [:]
    }

    private let state = Mutex(State())

    /// Reads the store.
    ///
    /// - Throws: ``/Pairing/StoreError``, `busy` as soon as it takes too long, or a former reading does.
    package func read<Value: Sendable>(
        _ store: PairingStore,
        _ body: @escaping @Sendable (PairingStore) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        guard let number = begin() else { throw Self.busy }
        let result = await withTaskGroup(of: Result<Value, StoreError>.self) { group in
            group.addTask {
                do throws(StoreError) {
                    return .success(
                        try await store.perform { store throws(StoreError) in
                            defer { self.end(number) }
                            return try body(store)
                        }
                    )
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(for: Self.timeout)
                return .failure(Self.busy)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(Self.busy)
        }
        return try result.get()
    }

    /// Begins a reading.
    ///
    /// - Returns: Its number; `nil` if another one has waited for too long.
    private func begin() -> Int? {
        state.withLock { state in
            guard !state.starts.values.contains(where: { .now - $0 > Self.timeout }) else { return nil }
            state.last += 1
            state.starts[state.last] = .now
            return state.last
        }
    }

    private func end(_ number: Int) { state.withLock { $0.starts[number] = nil } }

    private static var busy: StoreError {
        StoreError(
            .busy,
            expected: "a store of pairings that answers within a second",
            found: "one that is in use. Try again"
        )
    }
}
