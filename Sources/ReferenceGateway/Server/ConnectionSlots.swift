internal import Synchronization

/// A limited number of slots, one for each connection.
final class ConnectionSlots: Sendable {
    private let state: Mutex<(free: Int, taken: Int)>

    init(_ count: Int) {
        self.state = Mutex((count, 0))
    }

    /// Takes one.
    ///
    /// - Returns: The number of the connection, counted from 1; `nil` when there is none left.
    func take() -> Int? {
        state.withLock { state in
            guard state.free > 0 else { return nil }
            state.free -= 1
            state.taken += 1
            return state.taken
        }
    }

    /// Gives one back.
    func give() {
        state.withLock { $0.free += 1 }
    }
}
