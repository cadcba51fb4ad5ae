internal import CThreads

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A thread that waits for sockets and deadlines, and the executor of the actors that own them.
///
/// The thread lives as long as the loop: it holds only the ``LoopMailbox``, and the mailbox is closed by `deinit`.
package final class SocketLoop: SerialExecutor {
    private let mailbox: LoopMailbox

    /// Starts the thread.
    ///
    /// - Parameter name: The thread's name, of at most 15 bytes.
    /// - Throws: When the system gives no descriptor or thread.
    package init(name: String) throws(SystemError) {
        let mailbox = try LoopMailbox(name: name)
        self.mailbox = mailbox
        try Self.startThread(mailbox)
    }

    deinit {
        mailbox.close()
    }

    // MARK: Work

    package func enqueue(_ job: consuming ExecutorJob) {
        mailbox.put(.job(UnownedJob(job), self))
    }

    /// Runs `work` on the loop's thread.
    package func later(_ work: @escaping @Sendable () -> Void) {
        mailbox.put(.work(work))
    }

    package func isSameExclusiveExecutionContext(other: SocketLoop) -> Bool { self === other }

    package func checkIsolated() {
        precondition(mailbox.isOnThread, "not on the thread of the socket loop")
    }

    package func isIsolatingCurrentContext() -> Bool? { mailbox.isOnThread }

    // MARK: Calls that may block

    /// Runs a call that may block, noting when it began. Called on the loop's thread.
    package func blocking<Result, Failure: Error>(
        _ call: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        mailbox.callBegins()
        defer { mailbox.callEnds() }
        return try call()
    }

    /// The time for which the call that runs now has been running; `nil` when none is. May be asked from any thread.
    package var blockedFor: Duration? { mailbox.blockedFor }

    // MARK: Sockets and deadlines. On the loop's thread

    /// Calls `handler` on the loop's thread whenever the descriptor can be read, until ``unwatch(_:)``.
    ///
    /// The handler must not hold the loop: the loop's thread keeps it. Unwatch before the descriptor is closed.
    package func watch(_ descriptor: CInt, handler: @escaping @Sendable () -> Void) {
        mailbox.watch(descriptor, handler)
    }

    /// Ends a watch.
    package func unwatch(_ descriptor: CInt) {
        mailbox.unwatch(descriptor)
    }

    /// Calls `handler` on the loop's thread when the time has come; `nil` stops it. One deadline for each key.
    package func setDeadline(
        _ deadline: ContinuousClock.Instant?,
        for key: ObjectIdentifier,
        handler: @escaping @Sendable () -> Void
    ) {
        mailbox.setDeadline(deadline, for: key, handler)
    }

    // MARK: The thread

    private static func startThread(_ mailbox: LoopMailbox) throws(SystemError) {
        // Retained here, released by the thread, or below when there is none.
        let retained = Unmanaged.passRetained(mailbox)

        // Signals belong to the embedding program: none may be delivered to a thread that it does not know of.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = pthread_create(&thread, &attributes, { SocketLoop.runThread($0) }, retained.toOpaque())
        guard code == 0 else {
            retained.release()
            throw SystemError(call: "pthread_create", code: code)
        }
    }

    private static func runThread(_ mailbox: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let mailbox else { return nil }
        Unmanaged<LoopMailbox>.fromOpaque(mailbox).takeRetainedValue().run()
        return nil
    }
}
