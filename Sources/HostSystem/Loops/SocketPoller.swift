internal import DNSSD
internal import Glibc
internal import Synchronization

/// The poller of a ``SocketLoop``: it waits for watched descriptors and deadlines with `poll(2)`.
package final class SocketPoller: EventPoller {
    private struct Deadline {
        let time: ContinuousClock.Instant
        let handler: @Sendable () -> Void
    }

    private struct Watch {
        /// Distinguishes this watch from a later one of a descriptor with the same number.
        let number: Int
        let isForWriting: Bool
        let handler: @Sendable () -> Void
    }

    /// The state, used only by the loop's thread.
    private struct State {
        var watches: [CInt: Watch] = [:]
        var lastWatch = 0
        var deadlines: [ObjectIdentifier: Deadline] = [:]
    }

    private let state = Mutex(State())

    /// The clock of the deadlines.
    private let clock: any MonotonicClock

    init(clock: any MonotonicClock) {
        self.clock = clock
    }

    func watch(_ descriptor: CInt, forWriting: Bool, _ handler: @escaping @Sendable () -> Void) {
        // The previous watch is released outside the lock: objects that its handler holds may need the lock in their
        // `deinit`.
        _ = state.withLock { state in
            state.lastWatch += 1
            let watch = Watch(number: state.lastWatch, isForWriting: forWriting, handler: handler)
            return state.watches.updateValue(watch, forKey: descriptor)
        }
    }

    func unwatch(_ descriptor: CInt) {
        _ = state.withLock { $0.watches.removeValue(forKey: descriptor) }
    }

    func setDeadline(
        _ deadline: ContinuousClock.Instant?,
        for key: ObjectIdentifier,
        _ handler: @escaping @Sendable () -> Void
    ) {
        let new = deadline.map { Deadline(time: $0, handler: handler) }
        _ = state.withLock { state in
            let old = state.deadlines[key]
            state.deadlines[key] = new
            return old
        }
    }

    // MARK: EventPoller

    package func start(_ mailbox: LoopMailbox) {}

    package func turn(_ mailbox: LoopMailbox) {
        let (watches, deadline) = state.withLock { ($0.watches, $0.deadlines.values.map(\.time).min()) }
        var descriptors = [pollfd(fd: mailbox.wakeupDescriptor, events: Int16(POLLIN), revents: 0)]
        descriptors += watches.map {
            pollfd(fd: $0.key, events: Int16($0.value.isForWriting ? POLLIN | POLLOUT : POLLIN), revents: 0)
        }
        // `poll` fails when the system lacks memory: no descriptor counts as ready then, and the next turn tries again.
        if poll(&descriptors, nfds_t(descriptors.count), milliseconds(until: deadline)) < 0, errno != EINTR {
            mailbox.waitAfterFailure()
        }
        for ready in descriptors.dropFirst() where ready.revents != 0 {
            // An earlier handler of this turn may have ended the watch and closed the descriptor. Its number may
            // already belong to another descriptor, which was not polled in this turn.
            guard let watch = state.withLock({ $0.watches[ready.fd] }), watch.number == watches[ready.fd]?.number
            else { continue }
            // Somebody has closed it without ending the watch: `poll` would return at once for ever, at the cost of all
            // who share the loop.
            guard ready.revents & Int16(POLLNVAL) == 0 else {
                unwatch(ready.fd)
                continue
            }
            watch.handler()
        }
        runDeadlines()
        mailbox.runItems()
    }

    package func end() {
        // The handlers are released outside the lock: objects that they hold may need the lock in their `deinit`.
        _ = state.withLock { state in
            let old = (state.watches, state.deadlines)
            state.watches = [:]
            state.deadlines = [:]
            return old
        }
    }

    private func runDeadlines() {
        let now = clock.now
        let due = state.withLock { state in
            let due = state.deadlines.filter { $0.value.time <= now }
            for key in due.keys { state.deadlines[key] = nil }
            return due
        }
        for deadline in due.values { deadline.handler() }
    }

    /// Returns the timeout for `poll(2)` in milliseconds, rounded up so that it does not wake before the deadline.
    private func milliseconds(until deadline: ContinuousClock.Instant?) -> CInt {
        guard let deadline else { return -1 }
        let left = (deadline - clock.now) / .milliseconds(1)
        return left <= 0 ? 0 : CInt(min(left.rounded(.up), 60_000))
    }
}
