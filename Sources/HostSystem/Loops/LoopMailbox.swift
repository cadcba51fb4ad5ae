internal import Glibc
internal import Synchronization

/// The work that other threads hand to the thread of an ``EventLoop``, and the descriptor that wakes this thread.
///
/// It can outlive the loop object, because the thread holds it until it ends.
package final class LoopMailbox: Sendable {
    /// One piece of work.
    enum Item {
        /// A job of an actor. It keeps the executor alive until it has run: a job may release the last reference.
        case job(UnownedJob, any SerialExecutor)
        /// Any other work.
        case work(@Sendable () -> Void)
    }

    private struct State {
        var items: [Item] = []
        var isClosed = false
    }

    /// The pending work, in order.
    private let state = Mutex(State())

    /// Signalled when `state` gets its first item, and on close.
    private let wakeup: WakeupDescriptor

    /// The thread that runs the loop; 0 before it runs.
    private let thread = Atomic<UInt>(0)

    /// The time at which the current call that may block began, in nanoseconds by `callTime`; 0 if there is none.
    private let callBegan = Atomic<Int64>(0)

    /// Returns the time since the mailbox was created.
    private let callTime: @Sendable () -> Duration

    init(callClock: some Clock<Duration>) throws(SystemError) {
        let origin = callClock.now
        self.callTime = { origin.duration(to: callClock.now) }
        self.wakeup = try WakeupDescriptor()
    }

    // MARK: From any thread

    func put(_ item: Item) {
        let isFirst = state.withLock { state in
            state.items.append(item)
            return state.items.count == 1
        }
        if isFirst { wakeup.signal() }
    }

    /// Lets the thread end once it has done all pending work.
    func close() {
        state.withLock { $0.isClosed = true }
        wakeup.signal()
    }

    /// Indicates whether the calling thread is the loop's thread.
    var isOnThread: Bool { thread.load(ordering: .relaxed) == LoopThread.current }

    /// The time for which the current call that may block has been running.
    var blockedFor: Duration? {
        let began = callBegan.load(ordering: .relaxed)
        return began == 0 ? nil : .nanoseconds(max(0, now - began))
    }

    // MARK: On the loop's thread

    /// The descriptor that is readable when there is work. It stays open as long as the mailbox lives.
    package var wakeupDescriptor: CInt { wakeup.number }

    /// Indicates whether the thread should end: the mailbox is closed, and no work is left.
    var isClosed: Bool { state.withLock { $0.isClosed && $0.items.isEmpty } }

    func adoptThread() {
        thread.store(LoopThread.current, ordering: .relaxed)
    }

    func callBegins() {
        callBegan.store(now, ordering: .relaxed)
    }

    func callEnds() {
        callBegan.store(0, ordering: .relaxed)
    }

    /// Waits a short time for new work only, on behalf of a poller whose own wait has failed. The system may be short
    /// of memory, and retrying at once would keep a core busy. The actors on the loop keep running meanwhile.
    package func waitAfterFailure() {
        var wakeup = pollfd(fd: wakeupDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wakeup, 1, Self.retryMilliseconds) < 0, errno != EINTR else { return }
        // Even this wait has failed; sleeping is harmless, because this is the loop's own thread.
        usleep(UInt32(Self.retryMilliseconds) * 1_000)
    }

    /// The time in milliseconds after which a poller that failed tries again.
    private static let retryMilliseconds: CInt = 100

    /// Runs the pending work.
    package func runItems() {
        wakeup.drain()
        // One batch only: work that arrives meanwhile signals again, so that descriptors get their turn.
        let items = state.withLock { state in
            let items = state.items
            state.items = []
            return items
        }
        for item in items {
            switch item {
            case .job(let job, let executor): job.runSynchronously(on: executor.asUnownedSerialExecutor())
            case .work(let work): work()
            }
        }
    }

    private var now: Int64 {
        let (seconds, attoseconds) = callTime().components
        // Never 0, which means that no call is running.
        return max(1, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
