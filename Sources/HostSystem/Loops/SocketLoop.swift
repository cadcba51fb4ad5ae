package import DNSSD
internal import Synchronization

/// An event loop that waits for sockets and deadlines.
package typealias SocketLoop = EventLoop<SocketPoller>

extension EventLoop where Poller == SocketPoller {
    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: The thread's name, of at most 15 bytes.
    ///   - clock: The clock of the deadlines. If a test changes its time, the loop notices only when something else
    ///     wakes it.
    ///   - callClock: See ``init(name:poller:callClock:)``.
    /// - Throws: The system's error if it provides no descriptor or thread.
    package convenience init(
        name: String,
        clock: some MonotonicClock = ContinuousClock(),
        callClock: some Clock<Duration> = SuspendingClock()
    ) throws(SystemError) {
        try self.init(name: name, poller: SocketPoller(clock: clock), callClock: callClock)
    }

    /// Returns the loop of this name that all of its users in the process share, one in each network namespace. Its
    /// thread starts for the first user and ends once nobody holds the loop.
    ///
    /// A user must end all that it watches before it lets the loop go. With a clock of a test, a loop of its own is
    /// returned.
    ///
    /// - Throws: The system's error if it provides no descriptor or thread.
    package static func shared(
        name: String,
        clock: some MonotonicClock = ContinuousClock()
    ) throws(SystemError) -> SocketLoop {
        guard clock is ContinuousClock else { return try SocketLoop(name: name, clock: clock) }
        let place = SharedLoops.Place(name: name, namespace: .current)
        return try SharedLoops.running.withLock { running throws(SystemError) -> SocketLoop in
            if let loop = running[place]?.loop { return loop }
            let loop = try SocketLoop(name: name)
            running[place] = SharedLoops.Running(loop: loop)
            return loop
        }
    }

    // MARK: Sockets and deadlines, on the loop's thread

    /// Calls `handler` on the loop's thread whenever the descriptor is readable, until ``unwatch(_:)``.
    ///
    /// The handler must not hold the loop, since the loop's thread holds the handler. End the watch before closing the
    /// descriptor.
    ///
    /// - Parameter forWriting: Calls the handler also while the descriptor is writable, as a connection is once it is there.
    package func watch(_ descriptor: CInt, forWriting: Bool = false, handler: @escaping @Sendable () -> Void) {
        poller.watch(descriptor, forWriting: forWriting, handler)
    }

    /// Ends a watch.
    package func unwatch(_ descriptor: CInt) {
        poller.unwatch(descriptor)
    }

    /// Calls `handler` on the loop's thread at the given time; `nil` cancels it. Each key has one deadline.
    package func setDeadline(
        _ deadline: ContinuousClock.Instant?,
        for key: ObjectIdentifier,
        handler: @escaping @Sendable () -> Void
    ) {
        poller.setDeadline(deadline, for: key, handler)
    }
}

/// The loops that are shared by name.
private enum SharedLoops {
    struct Place: Hashable {
        let name: String
        let namespace: NetworkNamespace
    }

    struct Running {
        weak var loop: SocketLoop?
    }

    static let running = Mutex<[Place: Running]>([:])
}
