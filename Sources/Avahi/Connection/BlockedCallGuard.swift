internal import HostSystem
internal import Synchronization

/// Runs calls to the actor so that a frozen daemon cannot hold them up: if the actor's thread is stuck in a call to the
/// daemon, all connections are cut, which ends that call.
enum BlockedCallGuard {
    /// The limit after which a stuck call is cut off.
    enum CallLimit {
        /// Stuck calls are cut off only once the calling task is cancelled.
        case untilCancelled
        /// Stuck calls are cut off as soon as they take too long.
        case short
    }

    /// The time that a call to the daemon may take before it is cut off.
    static let limit = Duration.milliseconds(100)

    /// The number of times that the guard looks for a stuck call: several calls can be stuck one after the other.
    static let attempts = 20

    /// Runs `operation` to its end, even when the calling task is cancelled.
    static func run<Result: Sendable>(
        _ callLimit: CallLimit,
        on connection: AvahiConnection,
        _ operation: @Sendable @escaping () async -> Result
    ) async -> Result {
        await run(
            callLimit,
            clock: connection.clock,
            blockedFor: { connection.loop.blockedFor },
            cut: { connection.sockets.shutDown() },
            operation
        )
    }

    /// Runs `operation` to its end, with a clock that tests control.
    ///
    /// - Parameters:
    ///   - blockedFor: Returns the time for which the call that runs now has been running; `nil` when none is.
    ///   - cut: Ends the call that runs now.
    static func run<Result: Sendable>(
        _ callLimit: CallLimit,
        clock: some Clock<Duration>,
        blockedFor: @Sendable @escaping () -> Duration?,
        cut: @Sendable @escaping () -> Void,
        _ operation: @Sendable @escaping () async -> Result
    ) async -> Result {
        let work = Task { await operation() }
        let cutter = Cutter {
            for _ in 0..<attempts {
                guard (try? await clock.sleep(for: limit)) != nil else { return }
                // A call that has only just begun gets its full time too.
                guard let time = blockedFor(), time >= limit else { continue }
                cut()
            }
        }
        defer { cutter.stop() }
        switch callLimit {
        case .short:
            cutter.start()
            return await work.value
        case .untilCancelled:
            return await withTaskCancellationHandler {
                await work.value
            } onCancel: {
                cutter.start()
            }
        }
    }

    /// The task that cuts stuck calls off, if one is needed. It must stop once the guarded call has ended, or it would
    /// cut the calls of others.
    private final class Cutter: Sendable {
        private struct State {
            var task: Task<Void, Never>?
            var isStopped = false
        }

        private let body: @Sendable () async -> Void
        private let state = Mutex(State())

        init(_ body: @Sendable @escaping () async -> Void) {
            self.body = body
        }

        func start() {
            state.withLock { state in
                guard !state.isStopped else { return }
                state.task = Task { [body] in await body() }
            }
        }

        func stop() {
            state.withLock { state in
                state.isStopped = true
                state.task?.cancel()
            }
        }
    }
}
