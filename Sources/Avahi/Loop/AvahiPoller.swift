internal import CAvahiCommon
internal import EventLoops
internal import Glibc
internal import Synchronization

/// The poller of a ``PollLoop``: Avahi's simple poll.
///
/// Work comes in through one more watch of that loop. (`avahi_simple_poll_wakeup` is not used: it loses wake-ups.) Avahi's
/// loop runs pending D-Bus traffic before it looks at descriptors, so that work that is queued here runs when all signals
/// that have arrived are delivered.
final class AvahiPoller: EventPoller {
    /// Avahi's loop. Touched by the loop's thread only, once that runs.
    ///
    /// `nonisolated(unsafe)`: the pointer never changes; what it points to is made in `init` before there is a thread, and
    /// after that used by code that runs on the thread, which the loop's `checkIsolated()` asserts.
    nonisolated(unsafe) let poll: SimplePoll

    /// The timer of the loop.
    let timer: LoopTimer

    /// The number of turns. Counted by the loop's thread only.
    private let turns = Atomic<Int>(0)

    private let isFailing: @Sendable () -> Bool

    /// Makes a loop with nothing to wait for.
    ///
    /// - Parameter isFailing: Whether poll(2) is to fail: the tests' way to let it.
    /// - Throws: When the system gives no descriptor or memory.
    init(isFailing: @escaping @Sendable () -> Bool = { false }) throws(SystemError) {
        let timer = try LoopTimer()
        guard let poll = SimplePoll() else { throw SystemError(call: "avahi_simple_poll_new", code: ENOMEM) }
        self.poll = poll
        self.isFailing = isFailing
        self.timer = timer
    }

    func start(_ mailbox: LoopMailbox) {
        timer.watch(in: poll)
        poll.watch(
            mailbox.wakeupDescriptor,
            // Not retained: the thread holds the mailbox for longer than it holds the loop.
            context: Unmanaged.passUnretained(mailbox).toOpaque()
        ) { _, _, _, context in
            guard let context else { return }
            Unmanaged<LoopMailbox>.fromOpaque(context).takeUnretainedValue().runItems()
        }
    }

    func turn(_ mailbox: LoopMailbox) {
        // -1 is a failed poll(2), as where the system lacks memory; Avahi's loop may be run again after it. 1 is a request to
        // quit, which nobody makes.
        guard !isFailing(), poll.iterate(timeout: -1) == 0 else {
            mailbox.waitAfterFailure()
            return mailbox.runItems()
        }
        // Each turn delivers one signal, and signals go first: under a flood of them our own work gets its turn too.
        if turns.wrappingAdd(1, ordering: .relaxed).newValue.isMultiple(of: 32) { mailbox.runItems() }
    }

    func end() {
        // With its watches.
        poll.free()
    }
}
