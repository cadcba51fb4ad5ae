internal import DNSSD
internal import EventLoops
internal import Synchronization

/// A browse or a publication, on the thread of its loop.
protocol LibrarySession: Actor {
    /// Makes its first references.
    func begin()

    /// Tells once more how it stands: a call that the daemon did not answer has ended.
    func reportAgain()

    /// Frees every reference. Nothing happens afterwards.
    func end()
}

/// A flag that tells whether a session is still wanted: it is asked before every call that may block, so that behind a
/// call that a frozen daemon blocks no other begins.
final class SessionLifetime: Sendable {
    private let isEnded = Atomic(false)

    var isWanted: Bool { !isEnded.load(ordering: .relaxed) }

    func end() {
        isEnded.store(true, ordering: .relaxed)
    }
}

/// The resources that a session works with, and the one who runs it.
struct SessionEnvironment: Sendable {
    /// The time for which a call may hold up the end of a session.
    static let endTimeout = Duration.milliseconds(100)

    /// The thread that calls the library.
    let loop: SocketLoop

    /// The clock by which the loop has its deadlines.
    let clock: any MonotonicClock

    /// The references that all sessions of the backend share.
    let pool: ReferencePool

    /// The services that the backend has published.
    let publications: Publications

    /// The instances that are known to be alive by other means.
    let protected: ProtectedInstances

    /// The flag that tells whether the session is still wanted.
    let lifetime = SessionLifetime()

    /// Begins a session, runs `body`, and ends the session, whatever the daemon does meanwhile.
    ///
    /// - Parameter isBlocked: Called when the daemon does not answer a call.
    func run(
        _ session: some LibrarySession,
        isBlocked: @Sendable @escaping () -> Void,
        body: @Sendable @escaping () async -> Void
    ) async {
        loop.later { session.assumeIsolated { $0.begin() } }
        await withDiscardingTaskGroup { group in
            // Beside `body`, since the session cannot even begin while the daemon blocks a call.
            group.addTask { await watch(session, isBlocked: isBlocked) }
            await body()
            group.cancelAll()
        }
        lifetime.end()
        let (ended, end) = AsyncStream.makeStream(of: Never.self)
        loop.later {
            session.assumeIsolated { $0.end() }
            end.finish()
        }
        // Not cancelled with us: what has begun is to be ended, if the daemon lets us.
        await Task {
            await withTaskGroup { group in
                group.addTask { for await _ in ended {} }
                group.addTask {
                    while (try? await clock.sleep(for: Self.endTimeout)) != nil {
                        if let time = loop.blockedFor, time >= Self.endTimeout { return }
                    }
                }
                await group.next()
                group.cancelAll()
            }
        }.value
    }

    /// Watches for a call that the daemon does not answer.
    private func watch(_ session: some LibrarySession, isBlocked: @Sendable @escaping () -> Void) async {
        var wasBlocked = false
        // Once a second costs nothing that could be measured, and no call has to start or stop a timer.
        while (try? await clock.sleep(for: .milliseconds(wasBlocked ? 250 : 750))) != nil {
            let isLate = loop.blockedFor.map { $0 >= BackendError.answerTimeout } ?? false
            guard isLate != wasBlocked else { continue }
            wasBlocked = isLate
            if isLate {
                isBlocked()
            } else {
                // On the loop: outside of it, a newer state could be told first, and this one would stand.
                loop.later { session.assumeIsolated { $0.reportAgain() } }
            }
        }
    }
}
