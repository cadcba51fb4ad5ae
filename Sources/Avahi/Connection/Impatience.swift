internal import Synchronization

/// Calls the actor, and does not let a frozen daemon hold the caller up: if the actor's thread is stuck in a call to the
/// daemon, all connections are cut, which ends that call.
///
/// `operation` runs to its end in any case, also when the calling task is cancelled.
///
/// - Parameter whenCancelledOnly: Whether to wait for as long as the caller is not cancelled.
func withImpatience<Result: Sendable>(
    for connection: AvahiConnection,
    whenCancelledOnly: Bool,
    _ operation: @Sendable @escaping () async -> Result
) async -> Result {
    let work = Task { await operation() }
    let cut = { @Sendable in
        Task {
            for _ in 0..<Impatience.attempts {
                guard (try? await Task.sleep(for: Impatience.patience)) != nil else { return }
                // A call that has only just begun gets its time too.
                if let time = connection.loop.blockedFor, time >= Impatience.patience { connection.sockets.shutDown() }
            }
        }
    }
    guard whenCancelledOnly else {
        let impatience = cut()
        defer { impatience.cancel() }
        return await work.value
    }
    let impatience = ImpatienceTask()
    defer { impatience.finish() }
    return await withTaskCancellationHandler {
        await work.value
    } onCancel: {
        impatience.start(cut)
    }
}

/// The task that cuts, if one was needed. It must not go on once the call has ended: it would cut what others do.
private final class ImpatienceTask: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isFinished = false
    }

    private let state = Mutex(State())

    func start(_ make: () -> Task<Void, Never>) {
        state.withLock { state in
            if !state.isFinished { state.task = make() }
        }
    }

    func finish() {
        state.withLock { state in
            state.isFinished = true
            state.task?.cancel()
        }
    }
}

private enum Impatience {
    /// How long a call may take before it is cut off.
    static let patience = Duration.milliseconds(100)

    /// Several calls can be stuck one after the other.
    static let attempts = 20
}
