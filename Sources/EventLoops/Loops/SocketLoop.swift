package import DNSSD

/// An event loop that waits for sockets and deadlines.
package typealias SocketLoop = EventLoop<SocketPoller>

extension EventLoop where Poller == SocketPoller {
    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: The thread's name, of at most 15 bytes.
    ///   - clock: The clock of the deadlines. When a test has turned it, the loop notices with the next thing that wakes it.
    ///   - callClock: See ``init(name:poller:callClock:)``.
    /// - Throws: When the system gives no descriptor or thread.
    package convenience init(
        name: String,
        clock: some MonotonicClock = ContinuousClock(),
        callClock: some Clock<Duration> = SuspendingClock()
    ) throws(SystemError) {
        try self.init(name: name, poller: SocketPoller(clock: clock), callClock: callClock)
    }

    // MARK: Sockets and deadlines. On the loop's thread

    /// Calls `handler` on the loop's thread whenever the descriptor can be read, until ``unwatch(_:)``.
    ///
    /// The handler must not hold the loop: the loop's thread keeps it. Unwatch before the descriptor is closed.
    package func watch(_ descriptor: CInt, handler: @escaping @Sendable () -> Void) {
        poller.watch(descriptor, handler)
    }

    /// Ends a watch.
    package func unwatch(_ descriptor: CInt) {
        poller.unwatch(descriptor)
    }

    /// Calls `handler` on the loop's thread when the time has come; `nil` stops it. One deadline for each key.
    package func setDeadline(
        _ deadline: ContinuousClock.Instant?,
        for key: ObjectIdentifier,
        handler: @escaping @Sendable () -> Void
    ) {
        poller.setDeadline(deadline, for: key, handler)
    }
}
