internal import Synchronization
internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The work that any thread hands to the thread of an ``EventLoop``, and the descriptor that wakes it.
///
/// It outlives the loop object: the thread holds it until it ends.
package final class LoopMailbox: Sendable {
    /// One piece of work.
    enum Item {
        /// A job of an actor. It keeps the executor alive until it has run: a job may release the last reference.
        case job(UnownedJob, any SerialExecutor)
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
    private let wakeup: WakeupDescriptor

    /// The thread that runs the loop; 0 before it runs.
    private let thread = Atomic<UInt>(0)

    /// The time at which the call that may block and that runs now began, in nanoseconds by `callTime`; 0 when none runs.
    private let callBegan = Atomic<Int64>(0)

    /// The time since the mailbox was made.
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

    /// Lets the thread end, after what has been put in by now.
    func close() {
        state.withLock { $0.isClosed = true }
        wakeup.signal()
    }

    /// Indicates whether the caller is the loop's thread.
    var isOnThread: Bool { thread.load(ordering: .relaxed) == LoopThread.current }

    /// The time for which the call that runs now has been running.
    var blockedFor: Duration? {
        let began = callBegan.load(ordering: .relaxed)
        return began == 0 ? nil : .nanoseconds(max(0, now - began))
    }

    // MARK: On the loop's thread

    /// The descriptor that can be read when there is work. It lives as long as the mailbox.
    package var wakeupDescriptor: CInt { wakeup.number }

    /// Indicates whether the thread shall end: the mailbox is closed, and nothing is left to do.
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

    /// Waits for work alone, for a poller that could not wait for all that it should: the system may be short of memory, and
    /// what is tried again at once would burn a core. Those who live on the loop run meanwhile.
    package func waitAfterFailure() {
        var wakeup = pollfd(fd: wakeupDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wakeup, 1, Self.retryMilliseconds) < 0, errno != EINTR else { return }
        // Not even that can be waited for; this is the loop's own thread, which nothing else needs.
        usleep(UInt32(Self.retryMilliseconds) * 1_000)
    }

    /// The time after which a poller that failed tries again.
    private static let retryMilliseconds: CInt = 100

    /// Runs what waits.
    package func runItems() {
        wakeup.drain()
        // One batch: what comes meanwhile signals again, and descriptors have their turn.
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
        // Never 0, which says that no call runs.
        return max(1, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
