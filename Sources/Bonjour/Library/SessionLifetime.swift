internal import Synchronization

/// Whether a session is still wanted: asked before every call that may block, so that behind one that a frozen daemon
/// blocks no other begins.
final class SessionLifetime: Sendable {
    private let isEnded = Atomic(false)

    var isWanted: Bool { !isEnded.load(ordering: .relaxed) }

    func end() {
        isEnded.store(true, ordering: .relaxed)
    }
}
