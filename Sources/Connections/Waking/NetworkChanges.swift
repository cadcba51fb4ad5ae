internal import DNSSD
internal import EventLoops

/// An observer of the changes of this host's interfaces, addresses and routes.
actor NetworkChanges {
    private nonisolated let loop: SocketLoop
    private var monitor: LinkMonitor?
    private let changed: @Sendable () -> Void

    /// The time for which changes are collected: a link that comes up gets an address and a route a moment later.
    private static let pause = Duration.milliseconds(50)

    /// The network as it was last seen.
    private var interfaces: [HostInterface] = []
    private var routes: [Route]?
    private var isPending = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter changed: A closure that is called after each change.
    /// - Returns: `nil` if the system has no thread or descriptor for it.
    private init?(_ changed: @escaping @Sendable () -> Void) {
        guard let loop = try? SocketLoop(name: "clawradar-net") else { return nil }
        self.loop = loop
        self.changed = changed
    }

    /// Returns the changes, several of one moment as one, until nobody reads any more.
    static func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        guard let changes = NetworkChanges({ continuation.yield() }) else {
            continuation.finish()
            return stream
        }
        let watching = Task { await changes.watch() }
        continuation.onTermination = { _ in watching.cancel() }
        return stream
    }

    /// Watches until the task is cancelled.
    private func watch() async {
        guard let monitor = try? LinkMonitor(includingRoutes: true) else { return }
        let descriptor = monitor.descriptor
        self.monitor = consume monitor
        interfaces = HostInterface.all
        routes = Route.defaults()
        loop.watch(descriptor) { [weak self] in
            self?.assumeIsolated { $0.linksChanged() }
        }
        await Task.untilCancelled()
        loop.unwatch(descriptor)
        loop.setDeadline(nil, for: ObjectIdentifier(self)) {}
        self.monitor = nil
    }

    private func linksChanged() {
        monitor?.drain()
        guard !isPending else { return }
        isPending = true
        loop.setDeadline(.now + Self.pause, for: ObjectIdentifier(self)) { [weak self] in
            self?.assumeIsolated { $0.look() }
        }
    }

    /// Checks whether anything has changed: routers repeat their advertisements, which changes nothing.
    private func look() {
        isPending = false
        let (interfaces, routes) = (HostInterface.all, Route.defaults())
        guard interfaces != self.interfaces || routes != self.routes else { return }
        self.interfaces = interfaces
        self.routes = routes
        changed()
    }
}
