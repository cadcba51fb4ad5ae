internal import Synchronization

/// The references that the sessions of one backend may hold together, and the sessions that wait for one.
final class ReferencePool: Sendable {
    private struct State {
        var quota = ReferenceQuota()
        var waiting: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// Takes a reference, if there is one left for this purpose.
    func take(for purpose: ReferenceQuota.Purpose) -> Bool {
        state.withLock { $0.quota.take(for: purpose) }
    }

    /// Gives a reference back, and wakes every session that waits for one.
    func giveBack() {
        let waiting = state.withLock { state in
            state.quota.giveBack()
            defer { state.waiting = [:] }
            return state.waiting
        }
        for waker in waiting.values { waker() }
    }

    /// Calls `waker`, once, when a reference is given back.
    func wait(_ key: ObjectIdentifier, _ waker: @escaping @Sendable () -> Void) {
        _ = state.withLock { $0.waiting.updateValue(waker, forKey: key) }
    }

    func forget(_ key: ObjectIdentifier) {
        _ = state.withLock { $0.waiting.removeValue(forKey: key) }
    }

    /// The number of references that are held.
    var used: Int { state.withLock { $0.quota.used } }
}
