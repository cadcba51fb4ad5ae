internal import Glibc
internal import Synchronization

/// A thread that waits for sockets and deadlines, and the executor of the actors that own them.
///
/// The thread lives as long as the loop: it holds only the ``LoopMailbox``, and the mailbox is closed by `deinit`.
final class SocketLoop: SerialExecutor {
    private let mailbox: LoopMailbox

    /// Starts the thread.
    ///
    /// - Throws: When the system gives no descriptor or thread.
    init() throws(SystemError) {
        let mailbox = try LoopMailbox()
        self.mailbox = mailbox
        try Self.startThread(mailbox)
    }

    deinit {
        mailbox.close()
    }

    // MARK: Work

    func enqueue(_ job: consuming ExecutorJob) {
        mailbox.put(.job(UnownedJob(job), self))
    }

    /// Runs `work` on the loop's thread.
    func later(_ work: @escaping @Sendable () -> Void) {
        mailbox.put(.work(work))
    }

    func isSameExclusiveExecutionContext(other: SocketLoop) -> Bool { self === other }

    func checkIsolated() {
        precondition(mailbox.isOnThread, "not on the thread of the socket loop")
    }

    func isIsolatingCurrentContext() -> Bool? { mailbox.isOnThread }

    // MARK: Sockets and deadlines. On the loop's thread

    /// Calls `handler` on the loop's thread whenever the descriptor can be read, until ``unwatch(_:)``.
    ///
    /// The handler must not hold the loop: the loop's thread keeps it. Unwatch before the descriptor is closed.
    func watch(_ descriptor: CInt, handler: @escaping @Sendable () -> Void) {
        mailbox.watch(descriptor, handler)
    }

    /// Ends a watch.
    func unwatch(_ descriptor: CInt) {
        mailbox.unwatch(descriptor)
    }

    /// Calls `handler` on the loop's thread when the time has come; `nil` stops it. One deadline for each key.
    func setDeadline(
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

        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<LoopMailbox>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            retained.toOpaque()
        )
        guard code == 0 else {
            retained.release()
            throw SystemError(call: "pthread_create", code: code)
        }
    }
}
