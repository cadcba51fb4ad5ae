internal import CAvahiCommon
internal import Glibc
internal import Synchronization

/// The work that any thread hands to the thread of a ``PollLoop``, and the `eventfd` that wakes it.
///
/// It outlives the loop object: the thread holds it until it ends.
final class Mailbox: Sendable {
    /// One piece of work.
    enum Item {
        /// A job of the actor. It keeps the executor alive until it has run: a job may release the last reference.
        case job(UnownedJob, PollLoop)
        /// Anything else.
        case work(@Sendable () -> Void)
    }

    private struct State {
        var items: [Item] = []
        var isClosed = false
    }

    /// The work that waits, in order.
    private let state = Mutex(State())

    /// Signalled when `state` gets its first item, and on close.
    private let eventDescriptor: CInt

    /// The thread that runs the loop; 0 before it runs.
    private let thread = Atomic<UInt>(0)

    /// The time at which the C call that runs now began, in nanoseconds of the monotonic clock; 0 when none runs.
    private let callBegan = Atomic<UInt64>(0)

    init() throws(SystemError) {
        let descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw SystemError(call: "eventfd", code: errno) }
        self.eventDescriptor = descriptor
    }

    deinit {
        Glibc.close(eventDescriptor)
    }

    // MARK: From any thread

    func put(_ item: Item) {
        let isFirst = state.withLock { state in
            state.items.append(item)
            return state.items.count == 1
        }
        if isFirst { ring() }
    }

    /// Lets the thread end, after what has been put in by now.
    func close() {
        state.withLock { $0.isClosed = true }
        ring()
    }

    /// Indicates whether the caller is on the loop's thread.
    var isOnThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// The time for which the C call that runs now has been running.
    var blockedFor: Duration? {
        let began = callBegan.load(ordering: .relaxed)
        let now = Self.now()
        return began == 0 ? nil : .nanoseconds(now > began ? now - began : 0)
    }

    private func ring() {
        // The counter can only be full after 2^64 - 2 rings that nobody read; then the thread is awake anyway.
        _ = eventfd_write(eventDescriptor, 1)
    }

    // MARK: On the loop's thread

    /// Indicates whether the thread shall end: the mailbox is closed, and nothing is left to do.
    var isClosed: Bool { state.withLock { $0.isClosed && $0.items.isEmpty } }

    func adoptThread() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
    }

    func callBegins() {
        callBegan.store(Self.now(), ordering: .relaxed)
    }

    func callEnds() {
        callBegan.store(0, ordering: .relaxed)
    }

    /// Makes the `eventfd` a watch of Avahi's loop, for as long as the thread runs it.
    func watch(in poll: SimplePoll) -> PollWatch? {
        poll.watch(
            eventDescriptor,
            // Not retained: the thread holds the mailbox for longer than it holds the watch.
            context: Unmanaged.passUnretained(self).toOpaque()
        ) { _, _, _, context in
            guard let context else { return }
            Unmanaged<Mailbox>.fromOpaque(context).takeUnretainedValue().runItems()
        }
    }

    /// Runs what waits.
    func runItems() {
        var count: eventfd_t = 0
        _ = eventfd_read(eventDescriptor, &count)
        // One batch: what comes meanwhile rings again, and D-Bus traffic goes first.
        let items = state.withLock { state in
            let items = state.items
            state.items = []
            return items
        }
        for item in items {
            switch item {
            case .job(let job, let loop): job.runSynchronously(on: loop.asUnownedSerialExecutor())
            case .work(let work): work()
            }
        }
    }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
