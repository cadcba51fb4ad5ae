internal import Synchronization

/// A flag that tells whether a session is still wanted: it is asked before every call that may block, so that behind a
/// call that a frozen daemon blocks no other begins.
final class SessionLifetime: Sendable {
    private let isEnded = Atomic(false)

    var isWanted: Bool { !isEnded.load(ordering: .relaxed) }

    func end() {
        isEnded.store(true, ordering: .relaxed)
    }
}
