internal import CThreads
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The mailbox of a ``SocketLoop``, which holds what the loop has to do: work from any thread, descriptors to watch,
/// deadlines to keep; and the thread's turns.
///
/// It outlives the loop object: the thread holds it until it ends.
final class LoopMailbox: Sendable {
    /// One piece of work.
    enum Item {
        /// A job of an actor. It keeps the executor alive until it has run: a job may release the last reference.
        case job(UnownedJob, SocketLoop)
        /// Anything else.
        case work(@Sendable () -> Void)
    }

    private struct Deadline {
        let time: ContinuousClock.Instant
        let handler: @Sendable () -> Void
    }

    private struct Watch {
        /// Tells it from a later watch of a descriptor with the same number.
        let number: Int
        let handler: @Sendable () -> Void
    }

    private struct State {
        var items: [Item] = []
        var isClosed = false

        /// The time at which the call that may block and that runs now began.
        var callBegan: ContinuousClock.Instant?

        /// Touched by the loop's thread only.
        var watches: [CInt: Watch] = [:]
        var lastWatch = 0
        var deadlines: [ObjectIdentifier: Deadline] = [:]
    }

    private let name: String
    private let state = Mutex(State())

    /// Signalled when `items` gets its first one, and on close.
    private let wakeup: WakeupSocket

    /// The thread that runs the loop; 0 before it runs.
    private let thread = Atomic<UInt>(0)

    init(name: String) throws(SystemError) {
        self.name = name
        self.wakeup = try WakeupSocket()
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
    var isOnThread: Bool { thread.load(ordering: .relaxed) == Self.currentThread }

    /// The time for which the call that runs now has been running.
    var blockedFor: Duration? { state.withLock { $0.callBegan }.map { .now - $0 } }

    private static var currentThread: UInt {
        #if canImport(Darwin)
        UInt(bitPattern: pthread_self())
        #else
        UInt(pthread_self())
        #endif
    }

    // MARK: On the loop's thread

    func callBegins() {
        state.withLock { $0.callBegan = .now }
    }

    func callEnds() {
        state.withLock { $0.callBegan = nil }
    }

    func watch(_ descriptor: CInt, _ handler: @escaping @Sendable () -> Void) {
        // What a former handler holds may need the lock when it goes.
        _ = state.withLock { state in
            state.lastWatch += 1
            return state.watches.updateValue(Watch(number: state.lastWatch, handler: handler), forKey: descriptor)
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

    /// The thread's whole life.
    func run() {
        setThreadName()
        thread.store(Self.currentThread, ordering: .relaxed)
        while !state.withLock({ $0.isClosed && $0.items.isEmpty }) { turn() }
    }

    /// For whoever looks at the threads of the process. A name that is too long is not taken, and that is all.
    private func setThreadName() {
        #if canImport(Darwin)
        pthread_setname_np(name)
        #else
        _ = pthread_setname_np(pthread_self(), name)
        #endif
    }

    /// Waits, and does what there is to do.
    private func turn() {
        let (watches, deadline) = state.withLock { ($0.watches, $0.deadlines.values.map(\.time).min()) }
        var descriptors = [pollfd(fd: wakeup.receiver, events: Int16(POLLIN), revents: 0)]
        descriptors += watches.keys.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // It fails when a signal comes, which this thread blocks, or when the system lacks memory: then nothing is ready,
        // and the next turn tries again.
        _ = poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(until: deadline))
        for ready in descriptors.dropFirst() where ready.revents != 0 {
            // An earlier handler of this turn may have ended the watch and closed the descriptor; its number may belong to
            // another one by now, of which nothing is known before the next turn.
            guard let watch = state.withLock({ $0.watches[ready.fd] }), watch.number == watches[ready.fd]?.number
            else { continue }
            watch.handler()
        }
        runDeadlines()
        runItems()
    }

    private func runDeadlines() {
        let now = ContinuousClock.now
        let due = state.withLock { state in
            let due = state.deadlines.filter { $0.value.time <= now }
            for key in due.keys { state.deadlines[key] = nil }
            return due
        }
        for deadline in due.values { deadline.handler() }
    }

    private func runItems() {
        wakeup.drain()
        // One batch: what comes meanwhile rings again, and sockets have their turn.
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

    /// Returns the time that `poll(2)` shall wait, in milliseconds: rounded up, so that it does not wake before the
    /// deadline.
    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> CInt {
        guard let deadline else { return -1 }
        let left = (deadline - .now) / .milliseconds(1)
        return left <= 0 ? 0 : CInt(min(left.rounded(.up), 60_000))
    }
}
