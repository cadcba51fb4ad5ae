internal import DNSSD
internal import Synchronization

/// An observer of the changes of this host's interfaces, addresses and routes.
package actor NetworkChanges {
    private nonisolated let loop: SocketLoop
    private var monitor: LinkMonitor?
    private let changed: @Sendable () -> Void

    /// The time for which changes are collected: a link that comes up gets an address and a route a moment later.
    static let pause = Duration.milliseconds(50)

    /// The clock that measures the pause.
    private nonisolated let clock: any MonotonicClock

    /// Reads the network as it is now.
    private let read: @Sendable () -> Network

    /// The network as it was reported last.
    private var network: Network

    /// True from the first sign of a change until the network has been compared.
    private(set) var isPending = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - clock: The clock that measures the pause.
    ///   - read: A closure that reads the network as it is now.
    ///   - changed: A closure that is called after each change.
    /// - Returns: `nil` if the system has no thread or descriptor for it.
    init?(
        clock: any MonotonicClock = ContinuousClock(),
        read: @escaping @Sendable () -> Network = { .current },
        _ changed: @escaping @Sendable () -> Void
    ) {
        guard let loop = try? SocketLoop(name: "clawradar-net", clock: clock) else { return nil }
        self.loop = loop
        self.clock = clock
        self.read = read
        self.network = read()
        self.changed = changed
    }

    /// Returns the changes, several of one moment as one, until nobody reads any more. All readers of a process share one
    /// observer and its thread, which are there while somebody reads.
    package static func stream() -> AsyncStream<Void> { readers.add() }

    private static let readers = NetworkReaders()

    /// Watches until the task is cancelled.
    fileprivate func watch() async {
        guard let monitor = try? LinkMonitor(includingRoutes: true) else { return }
        let descriptor = monitor.descriptor
        self.monitor = consume monitor
        // What has changed since the observer was made is a change as well.
        look()
        loop.watch(descriptor) { [weak self] in
            self?.assumeIsolated { $0.linksChanged() }
        }
        await Task.untilCancelled()
        loop.unwatch(descriptor)
        loop.setDeadline(nil, for: ObjectIdentifier(self)) {}
        self.monitor = nil
    }

    /// Compares the network with what it was, after the pause.
    func linksChanged() {
        monitor?.drain()
        guard !isPending else { return }
        isPending = true
        loop.setDeadline(clock.now + Self.pause, for: ObjectIdentifier(self)) { [weak self] in
            self?.assumeIsolated { $0.look() }
        }
    }

    /// Checks whether anything has changed: routers repeat their advertisements, which changes nothing.
    private func look() {
        isPending = false
        let network = read()
        guard network != self.network else { return }
        self.network = network
        changed()
    }
}

extension NetworkChanges {
    /// The part of this host's network on which connections depend.
    struct Network: Hashable, Sendable {
        var interfaces: [HostInterface] = []
        var routes: [Route]?

        /// The network as it is now.
        static var current: Network { Network(interfaces: HostInterface.all, routes: Route.defaults()) }
    }
}

/// The readers of the changes, and the observer that they share.
private final class NetworkReaders: Sendable {
    private struct State {
        var last = 0
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var watching: Task<Void, Never>?
    }

    private let state = Mutex(State())

    func add() -> AsyncStream<Void> {
        let (stream, reader) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state -> Int? in
            if state.watching == nil {
                guard let changes = NetworkChanges({ [weak self] in self?.tell() }) else { return nil }
                state.watching = Task { await changes.watch() }
            }
            state.last += 1
            state.readers[state.last] = reader
            return state.last
        }
        guard let id else {
            // The system has no thread or descriptor.
            reader.finish()
            return stream
        }
        reader.onTermination = { [weak self] _ in self?.remove(id) }
        return stream
    }

    private func tell() {
        // Not with the lock held: a reader that is cancelled ends with the lock of its task held, which this takes.
        for reader in state.withLock({ Array($0.readers.values) }) { reader.yield() }
    }

    private func remove(_ id: Int) {
        let watching = state.withLock { state -> Task<Void, Never>? in
            state.readers[id] = nil
            guard state.readers.isEmpty else { return nil }
            defer { state.watching = nil }
            return state.watching
        }
        watching?.cancel()
    }
}
