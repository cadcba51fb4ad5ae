internal import Discovery
@preconcurrency internal import Dispatch
internal import GatewayClient
internal import Glibc

/// The signals with which the user or the system ends the tool. Only the tool catches signals, never a library.
///
/// SIGINT and SIGTERM are handled on a dispatch queue of their own, because the threads that do the work may all be
/// blocked by an output that nobody reads. The first signal is a request: publications are withdrawn, and the results
/// are written. The process is ended at once by a second signal, or when the time that the first one leaves is over.
package enum Signals {
    /// The time that the process has to end by itself after the first signal.
    private static let endTimeout = Duration.milliseconds(1_900)

    /// The part of `endTimeout` for which the output waits for its reader. The rest is for withdrawing publications
    /// with goodbye packets.
    static let readerTimeout = Duration.seconds(1)

    /// The time at which the first signal came; `nil` before.
    private static let request = Broadcast<ContinuousClock.Instant?>(nil)

    /// The number of times that SIGHUP came.
    private static let hangUps = Broadcast(0)

    /// The time at which the first signal came; `nil` before.
    package static var requestedAt: ContinuousClock.Instant? { request.value }

    /// The number of file descriptors that must be free. Dispatch needs one for each signal and five for itself, and
    /// ends the process if it cannot get them.
    private static let descriptors = 8

    /// Begins to handle signals. With too few free descriptors it does nothing, and signals end the process at once.
    static func prepare() {
        for number in [SIGINT, SIGTERM] { handle(number) { take(number) } }
    }

    /// Begins to handle SIGHUP, by which a service manager asks for the configuration to be read again. In a terminal, it
    /// says that this was closed, and ends the process as before.
    ///
    /// - Returns: The number of times that it came, now and whenever it comes.
    package static func takeHangUps() -> AsyncStream<Int> {
        if isatty(0) == 0 { handle(SIGHUP) { hangUps.send(hangUps.value + 1) } }
        return hangUps.stream(limit: 1)
    }

    /// Begins to handle SIGTSTP, by which Ctrl-Z stops the process; it is handled when this returns.
    ///
    /// - Returns: An element each time that it came. Whoever takes it stops the process by ``stop()``.
    package static func takeStops() async -> AsyncStream<Int> {
        await withCheckedContinuation { handled in
            handle(SIGTSTP, whenHandled: { handled.resume() }, { stops.send(stops.value + 1) })
        }
        return stops.stream(limit: 1)
    }

    /// Stops the process until it is continued.
    package static func stop() { raise(SIGSTOP) }

    private static let stops = Broadcast(0)

    private static func handle(
        _ number: Int32,
        whenHandled: @escaping @Sendable () -> Void = {},
        _ body: @escaping @Sendable () -> Void
    ) {
        guard GatewayLoops.areFree(descriptors) else { return whenHandled() }
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        // The handler retains the source, so that it is never released.
        source.setEventHandler { withExtendedLifetime(source) { body() } }
        source.setRegistrationHandler(handler: whenHandled)
        // A signal that arrives before it is registered, on another thread, has its default action.
        source.activate()
    }

    private static let queue = DispatchQueue(label: "clawradar.signals")

    /// Leaves the main thread to signals for good, while other threads do the work.
    ///
    /// It waits as Dispatch's `dispatchMain()` does. That ends the thread, for which the C library loads one more library,
    /// and serves the main queue, which nothing here uses: both at each start.
    package static func parkMainThread() -> Never {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV] { sigdelset(&signals, fault) }
        // Between two waits, too, a signal is for the thread that reads it.
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        sigemptyset(&signals)
        while true { sigsuspend(&signals) }
    }

    /// Waits until the user (Ctrl-C) or the system asks the process to end. Returns at once when the task is cancelled.
    package static func waitForEnd() async {
        for await time in request.stream(limit: 1) where time != nil { return }
    }

    private static func take(_ number: Int32) {
        guard requestedAt == nil else { endProcess(number) }
        request.send(.now)
        DispatchQueue(label: "clawradar.last-resort")
            .asyncAfter(deadline: .now() + endTimeout / .seconds(1)) { endProcess(number) }
    }

    /// Ends the process as if the signal had not been caught.
    private static func endProcess(_ number: Int32) -> Never {
        Screen.leaveAtOnce()
        TerminalDialogue.restore()
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // The first process of a container (PID 1) is not ended by a signal with the default action.
        _exit(128 + number)
    }
}
