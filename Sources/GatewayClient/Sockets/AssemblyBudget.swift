internal import Synchronization

/// The memory for messages that are not whole yet, over all connections: a peer that begins messages and ends none takes
/// a part of it, and no more.
final class AssemblyBudget: Sendable {
    /// That of this process: 64 MiB.
    static let shared = AssemblyBudget(bytes: 64 << 20)

    /// The bytes that each connection has besides, so that nobody can keep another from what is everyday.
    static let freeBytes = 65_536

    private let bytes: Mutex<Int>

    /// - Parameter bytes: The most bytes at once.
    init(bytes: Int) {
        self.bytes = Mutex(bytes)
    }

    /// The bytes that are left.
    var available: Int { bytes.withLock { $0 } }

    /// Takes a part.
    ///
    /// - Returns: `false` when there is not so much; then nothing is taken.
    func take(_ count: Int) -> Bool {
        bytes.withLock { bytes in
            guard count <= bytes else { return false }
            bytes -= count
            return true
        }
    }

    /// Gives a part back.
    func giveBack(_ count: Int) { bytes.withLock { $0 += count } }
}
