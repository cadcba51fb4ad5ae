/// A thread that waits with a poller, and the executor of the actors that own what it waits for.
///
/// Libraries in C want their objects touched by one thread. Making that thread the executor of an actor turns the rule
/// into actor isolation, which the compiler checks; no lock is needed around C.
///
/// The thread lives as long as the loop: it holds only the ``LoopMailbox`` and the poller, and the mailbox is closed by
/// `deinit`. It then runs what was put in by that time, ends the poller, and goes.
package final class EventLoop<Poller: EventPoller>: SerialExecutor {
    private let mailbox: LoopMailbox

    /// The part that waits.
    package let poller: Poller

    /// Starts the thread. The poller is ended when there is none to be had.
    ///
    /// - Parameters:
    ///   - name: The thread's name, of at most 15 bytes.
    ///   - poller: The part that waits. It belongs to this loop alone.
    ///   - callClock: The clock by which calls that may block are timed. It stands still while the host sleeps: that time is
    ///     nobody's fault.
    /// - Throws: When the system gives no descriptor or thread.
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

    /// Runs a call that may block, noting when it began. Called on the loop's thread.
    package func blocking<Result, Failure: Error>(
        _ call: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        mailbox.callBegins()
        defer { mailbox.callEnds() }
        return try call()
    }

    /// The time for which the call that runs now has been running, without the time that the host slept; `nil` when none
    /// is. May be asked from any thread.
    package var blockedFor: Duration? { mailbox.blockedFor }
}
