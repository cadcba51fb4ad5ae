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
    return await withTaskCancellationHandler {
        await work.value
    } onCancel: {
        // Ends by itself soon after `work` does: nothing is blocked then.
        _ = cut()
    }
}

private enum Impatience {
    /// How long a call may take before it is cut off.
    static let patience = Duration.milliseconds(100)

    /// Several calls can be stuck one after the other.
    static let attempts = 20
}
