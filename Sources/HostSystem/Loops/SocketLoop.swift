package import DNSSD

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

    // MARK: Sockets and deadlines, on the loop's thread

    /// Calls `handler` on the loop's thread whenever the descriptor is readable, until ``unwatch(_:)``.
    ///
    /// The handler must not hold the loop, since the loop's thread holds the handler. End the watch before closing the
    /// descriptor.
    package func watch(_ descriptor: CInt, handler: @escaping @Sendable () -> Void) {
        poller.watch(descriptor, handler)
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
