internal import Glibc
internal import Synchronization

/// What a ``SocketLoop`` has to do: work from any thread, descriptors to watch, deadlines to keep; and the thread's turns.
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

    private struct State {
        var items: [Item] = []
        var isClosed = false

        /// Touched by the loop's thread only.
        var watches: [CInt: @Sendable () -> Void] = [:]
        var deadlines: [ObjectIdentifier: Deadline] = [:]
    }

    private let state = Mutex(State())

    /// A pair of sockets: rung at one end when `items` gets its first one and on close, heard at the other.
    /// (`eventfd` does not come over from C.)
    private let bell: (ringing: CInt, heard: CInt)

    /// The thread that runs the loop; 0 before it runs.
    private let thread = Atomic<UInt>(0)

    init() throws(SystemError) {
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError(call: "socketpair", code: errno) }
        self.bell = (ends[0], ends[1])
    }

    deinit {
        Glibc.close(bell.ringing)
        Glibc.close(bell.heard)
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

    /// Whether the caller is the loop's thread.
    var isOnThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    private func ring() {
        // It is full only when there are rings that have not been heard; then the thread wakes anyway.
        var byte: UInt8 = 1
        _ = send(bell.ringing, &byte, 1, CInt(MSG_NOSIGNAL))
    }

    // MARK: On the loop's thread

    func watch(_ descriptor: CInt, _ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.watches[descriptor] = handler }
    }

    func unwatch(_ descriptor: CInt) {
        // What a handler holds may need the lock when it goes.
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
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        while !state.withLock({ $0.isClosed && $0.items.isEmpty }) { turn() }
    }

    /// Waits, and does what there is to do.
    private func turn() {
        let (watches, deadline) = state.withLock { ($0.watches, $0.deadlines.values.map(\.time).min()) }
        var descriptors = [pollfd(fd: bell.heard, events: Int16(POLLIN), revents: 0)]
        descriptors += watches.keys.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // It fails when a signal comes, which this thread blocks, or when the system lacks memory: then nothing is ready,
        // and the next turn tries again.
        _ = poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(until: deadline))
        for ready in descriptors.dropFirst() where ready.revents != 0 {
            // An earlier handler of this turn may have ended the watch and closed the descriptor.
            state.withLock { $0.watches[ready.fd] }?()
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
        var bytes: (UInt64, UInt64) = (0, 0)
        while recv(bell.heard, &bytes, MemoryLayout.size(ofValue: bytes), 0) > 0 {}
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

    /// How long `poll(2)` shall wait: rounded up, so that it does not wake before the time.
    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> CInt {
        guard let deadline else { return -1 }
        let left = (deadline - .now) / .milliseconds(1)
        return left <= 0 ? 0 : CInt(min(left.rounded(.up), 60_000))
    }
}
