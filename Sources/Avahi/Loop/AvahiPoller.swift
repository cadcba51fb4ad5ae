internal import CAvahiCommon
internal import CLoading
internal import Glibc
internal import HostSystem
internal import Synchronization

/// The poller of a ``PollLoop``: Avahi's simple poll.
///
/// Work comes in through one more watch of that loop. (`avahi_simple_poll_wakeup` is not used: it loses wake-ups.)
/// Avahi's loop runs pending D-Bus traffic before it looks at descriptors, so work that is queued here runs after all
/// signals that have arrived have been delivered.
final class AvahiPoller: EventPoller {
    /// Avahi's loop. Used only by the loop's thread, once that runs.
    ///
    /// `nonisolated(unsafe)`: the pointer never changes. Its target is made in `init`, before there is a thread, and is
    /// used only on that thread afterwards, which the loop's `checkIsolated()` asserts.
    nonisolated(unsafe) let poll: SimplePoll

    /// The timer of the loop.
    let timer: LoopTimer

    /// The number of turns. Counted by the loop's thread only.
    private let turns = Atomic<Int>(0)

    private let isFailing: @Sendable () -> Bool

    /// Makes a loop with nothing to wait for.
    ///
    /// - Parameter isFailing: Returns whether poll(2) is to count as failed; for tests.
    /// - Throws: An error when the system has no descriptor or memory left, or no libavahi-client.
    init(isFailing: @escaping @Sendable () -> Bool = { false }) throws(SystemError) {
        let code = clawradar_load_avahi()
        guard code == 0 else { throw .notLoaded(code) }
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
        // -1 means that poll(2) has failed, for example for lack of memory; Avahi's loop may be run again after it. 1
        // is a request to quit, which is never made.
        guard !isFailing(), poll.iterate(timeout: -1) == 0 else {
            mailbox.waitAfterFailure()
            return mailbox.runItems()
        }
        // Each turn delivers one signal, and signals go first: this gives our own work its turn even in a flood of
        // them.
        if turns.wrappingAdd(1, ordering: .relaxed).newValue.isMultiple(of: 32) { mailbox.runItems() }
    }

    func end() {
        // This frees its watches too.
        poll.free()
    }
}

extension SystemError {
    /// Makes the error when libavahi-client cannot be loaded.
    static func notLoaded(_ code: Int32) -> SystemError {
        SystemError(call: "dlopen of libavahi-client.so.3", code: code)
    }

    /// The error when libavahi-client, or a library that it needs, is not installed.
    static let noLibrary = notLoaded(ENOENT)
}
