internal import CAvahiCommon
internal import Glibc
internal import Synchronization

/// A thread that runs Avahi's own poll loop, and the executor of the actor that owns every Avahi object.
///
/// Avahi's rule is that an object is touched only by the thread that runs its poll loop. Making that thread the executor
/// of an actor turns the rule into actor isolation, which the compiler checks; no lock is needed around C.
///
/// Work comes in through an `eventfd` that is one more watch of the loop. (`avahi_simple_poll_wakeup` is not used: it
/// loses wake-ups.) Avahi's loop runs pending D-Bus traffic before it looks at descriptors, so that work that is queued
/// here runs when all signals that have arrived are delivered.
///
/// The thread lives as long as the loop: it holds only the ``Mailbox``, and the mailbox is closed by `deinit`.
final class PollLoop: SerialExecutor {
    /// The work that any thread hands to the loop's thread.
    private let mailbox: Mailbox

    /// Avahi's loop. Touched by the loop's thread only, once that runs.
    ///
    /// `nonisolated(unsafe)`: the pointer never changes; what it points to is used in `init` before the thread starts,
    /// and after that by code that runs on the thread, which `checkIsolated()` asserts.
    nonisolated(unsafe) let poll: SimplePoll

    /// The timer of the loop.
    let timer: LoopTimer

    /// Starts the thread.
    ///
    /// - Throws: When the system gives no descriptor, memory or thread.
    init(name: String) throws(SystemError) {
        guard let poll = SimplePoll() else { throw SystemError(call: "avahi_simple_poll_new", code: ENOMEM) }
        do {
            let mailbox = try Mailbox()
            self.poll = poll
            self.mailbox = mailbox
            self.timer = try LoopTimer()
            try Self.startThread(name: name, poll: poll, mailbox: mailbox, timer: timer)
        } catch {
            poll.free()
            throw error
        }
    }

    deinit {
        mailbox.close()
    }

    // MARK: Work

    func enqueue(_ job: consuming ExecutorJob) {
        mailbox.put(.job(UnownedJob(job), self))
    }

    /// Runs `work` on the loop's thread, after the D-Bus traffic that has arrived by then.
    func later(_ work: @escaping @Sendable () -> Void) {
        mailbox.put(.work(work))
    }

    func isSameExclusiveExecutionContext(other: PollLoop) -> Bool { self === other }

    func checkIsolated() {
        precondition(mailbox.isOnThread, "not on the thread of Avahi's poll loop")
    }

    func isIsolatingCurrentContext() -> Bool? { mailbox.isOnThread }

    // MARK: Blocked calls

    /// Runs a C call that may block on D-Bus, noting when it began. Called on the loop's thread.
    func blocking<Result>(_ call: () -> Result) -> Result {
        mailbox.callBegins()
        defer { mailbox.callEnds() }
        return call()
    }

    /// The time for which the C call that runs now has been running; `nil` when none is. May be asked from any thread.
    var blockedFor: Duration? { mailbox.blockedFor }

    // MARK: The thread

    /// The arguments that the thread is given. Their owner is the thread.
    private final class Start {
        let name: String
        let poll: SimplePoll
        let mailbox: Mailbox
        let timer: LoopTimer

        init(name: String, poll: SimplePoll, mailbox: Mailbox, timer: LoopTimer) {
            self.name = name
            self.poll = poll
            self.mailbox = mailbox
            self.timer = timer
        }
    }

    private static func startThread(
        name: String,
        poll: SimplePoll,
        mailbox: Mailbox,
        timer: LoopTimer
    ) throws(SystemError) {
        let start = Unmanaged.passRetained(Start(name: name, poll: poll, mailbox: mailbox, timer: timer))

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
                PollLoop.runThread(Unmanaged<Start>.fromOpaque(argument).takeRetainedValue())
                return nil
            },
            start.toOpaque()
        )
        guard code == 0 else {
            start.release()
            throw SystemError(call: "pthread_create", code: code)
        }
    }

    private static func runThread(_ start: Start) {
        pthread_setname_np(pthread_self(), start.name)
        start.mailbox.adoptThread()
        let watches = [start.mailbox.watch(in: start.poll), start.timer.watch(in: start.poll)]
        var turns = 0
        // -1 is a failed poll(2): nothing of ours can cause it, and spinning on it would burn a core. 1 is a request
        // to quit, which nobody makes.
        while !start.mailbox.isClosed, start.poll.iterate(timeout: -1) == 0 {
            // Each turn delivers one signal, and signals go first: under a flood of them our own work gets its turn too.
            turns &+= 1
            if turns.isMultiple(of: 32) { start.mailbox.runItems() }
        }
        for watch in watches { start.poll.unwatch(watch) }
        start.poll.free()
    }
}
