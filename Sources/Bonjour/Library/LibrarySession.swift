internal import DNSSD
internal import HostSystem
internal import Synchronization

/// A browse or a publication, which runs on the thread of its loop.
protocol LibrarySession: Actor {
    /// Makes its first references.
    func begin()

    /// Reports its state once more, since a call that the daemon did not answer has ended.
    func reportAgain()

    /// Frees every reference. The session does nothing afterwards.
    func end()
}

/// A flag that says whether a session is still wanted. It is checked before every call that may block, so that no
/// further call begins after one that a frozen daemon has blocked.
final class SessionLifetime: Sendable {
    private let isEnded = Atomic(false)

    var isWanted: Bool { !isEnded.load(ordering: .relaxed) }

    func end() {
        isEnded.store(true, ordering: .relaxed)
    }
}

/// The resources that a session works with, and the means to run it.
struct SessionEnvironment: Sendable {
    /// The time for which a blocked call may delay the end of a session.
    static let endTimeout = Duration.milliseconds(100)

    /// The thread that calls the library.
    let loop: SocketLoop

    /// The clock that the loop's deadlines are measured with.
    let clock: any MonotonicClock

    /// The references that all sessions of the backend share.
    let pool: ReferencePool

    /// The services that the backend has published.
    let publications: Publications

    /// The instances that are known to be alive by other means.
    let protected: ProtectedInstances

    /// The flag that says whether the session is still wanted.
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
        // In a task that is not cancelled with this one: a session that has begun must be ended, if the daemon permits.
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
        // Checking about once a second costs nothing measurable, and spares each call a timer to start and stop.
        while (try? await clock.sleep(for: .milliseconds(wasBlocked ? 250 : 750))) != nil {
            let isLate = loop.blockedFor.map { $0 >= BackendError.answerTimeout } ?? false
            guard isLate != wasBlocked else { continue }
            wasBlocked = isLate
            if isLate {
                isBlocked()
            } else {
                // On the loop: from elsewhere, this state could be reported after a newer one and replace it.
                loop.later { session.assumeIsolated { $0.reportAgain() } }
            }
        }
    }
}
