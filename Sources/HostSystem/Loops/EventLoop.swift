/// A thread that waits in a poller, and the executor of the actors that own the objects it waits for.
///
/// C libraries require that their objects are used by one thread only. Making that thread the executor of an actor
/// turns this rule into actor isolation, which the compiler checks; no locks are needed around the C calls.
///
/// The thread lives as long as the loop: it holds only the ``LoopMailbox`` and the poller, and `deinit` closes the
/// mailbox. The thread then runs the work that is already in the mailbox, ends the poller, and exits.
package final class EventLoop<Poller: EventPoller>: SerialExecutor {
    private let mailbox: LoopMailbox

    /// The part of the loop that waits.
    package let poller: Poller

    /// Starts the thread. If that fails, the poller is ended.
    ///
    /// - Parameters:
    ///   - name: The thread's name, of at most 15 bytes.
    ///   - poller: The part of the loop that waits. It must not be shared with another loop.
    ///   - callClock: The clock that times calls that may block. By default it stands still while the host sleeps,
    ///     since no call is to blame for that time.
    /// - Throws: The system's error if it provides no descriptor or thread.
    package init(
        name: String,
        poller: Poller,
        callClock: some Clock<Duration> = SuspendingClock()
    ) throws(SystemError) {
        self.poller = poller
        do {
            let mailbox = try LoopMailbox(callClock: callClock)
            self.mailbox = mailbox
            try LoopThread.start(name: name) {
                mailbox.adoptThread()
                poller.start(mailbox)
                while !mailbox.isClosed { poller.turn(mailbox) }
                poller.end()
            }
        } catch {
            poller.end()
            throw error
        }
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

    package func isSameExclusiveExecutionContext(other: EventLoop) -> Bool { self === other }

    package func checkIsolated() {
        precondition(mailbox.isOnThread, "not on the thread of the event loop")
    }

    package func isIsolatingCurrentContext() -> Bool? { mailbox.isOnThread }

    // MARK: Calls that may block

    /// Runs a call that may block, and records when it began. Must be called on the loop's thread.
    package func blocking<Result, Failure: Error>(
        _ call: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        mailbox.callBegins()
        defer { mailbox.callEnds() }
        return try call()
    }

    /// The time for which the current call that may block has been running, not counting time that the host slept;
    /// `nil` if there is no such call. Can be read from any thread.
    package var blockedFor: Duration? { mailbox.blockedFor }
}

/// The part of an ``EventLoop`` that waits, either for its own descriptors and deadlines or in the poll loop of a
/// library.
///
/// All methods are called on the loop's thread, which holds the poller until it ends.
package protocol EventPoller: Sendable {
    /// Prepares the first turn. From now on the poller must call ``LoopMailbox/runItems()`` whenever
    /// ``LoopMailbox/wakeupDescriptor`` is readable.
    func start(_ mailbox: LoopMailbox)

    /// Waits until there is something to do, and does it. If waiting fails, it must call
    /// ``LoopMailbox/waitAfterFailure()`` and still run the items: actors run on this thread, and their callers would
    /// otherwise wait for ever.
    func turn(_ mailbox: LoopMailbox)

    /// Releases the resources that belong to the thread. No method is called after this one. If the thread could not be
    /// started, the loop's initializer calls it instead.
    func end()
}
