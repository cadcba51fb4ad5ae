internal import Synchronization

/// The memory budget for incomplete messages, shared by all connections: peers that begin messages and never end them
/// cannot take more than this.
final class AssemblyBudget: Sendable {
    /// The budget of this process: 64 MiB.
    static let shared = AssemblyBudget(bytes: 64 << 20)

    /// The bytes that each connection may use besides the budget, so that no peer can keep another connection from
    /// receiving ordinary messages.
    static let freeBytes = 65_536

    private let bytes: Mutex<Int>

    /// - Parameter bytes: The most bytes at once.
    init(bytes: Int) {
        self.bytes = Mutex(bytes)
    }

    /// The bytes that are left.
    var available: Int { bytes.withLock { $0 } }

    /// Takes bytes from the budget.
    ///
    /// - Returns: `false` when fewer are left; then nothing is taken.
    func take(_ count: Int) -> Bool {
        bytes.withLock { bytes in
            guard count <= bytes else { return false }
            bytes -= count
            return true
        }
    }

    /// Returns bytes to the budget.
    func giveBack(_ count: Int) { bytes.withLock { $0 += count } }
}
