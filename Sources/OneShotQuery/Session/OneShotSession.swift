internal import CoreMetrics
internal import DNSMessages
package import DNSSD
internal import HostSystem

/// A session that runs a ``OneShotQuery`` on a thread and ports of its own, from ``begin()`` to ``end()``.
package actor OneShotSession {
    /// A socket and its counter of lost packets.
    private final class Port {
        let socket: UDPSocket

        var drops = DropCounter()

        init(_ socket: consuming UDPSocket) {
            self.socket = socket
        }
    }

    /// The largest number of packets that are read from one port in one turn, so that the other ports get theirs.
    private static let packetsPerTurn = 16

    let loop: SocketLoop
    let clock: any MonotonicClock
    private let metrics = OneShotMetrics()
    private let report: @Sendable ([BrowseEvent]) -> Void
    private let reportOwnServices: @Sendable ([Sighting]) -> Void
    private(set) var query: OneShotQuery
    var reader = DatagramReader()
    private var ports: [ServicePath: Port] = [:]

    /// The ports that listen to the groups, while that is needed.
    private var groupPorts: [ServicePath: Port] = [:]
    private var monitor: LinkMonitor?

    /// The pacing of the look at the links after changes.
    private var linkPacing = LinkPacing()

    /// The services that lead to this host, the ports from which this host is asked about them, and its addresses.
    var ownServices: OwnServices
    var ownHostPorts: [ServicePath: LocalQuerySocket] = [:]
    private(set) var ownAddresses: Set<IPAddress> = []

    private(set) var hasEnded = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Creates a session, and the thread that it runs on.
    ///
    /// - Parameters:
    ///   - report: Receives the events of the query.
    ///   - reportOwn: Receives the services that the backend has resolved and a program of this host answers for: see
    ///     ``backendResolved(_:)``.
    /// - Returns: `nil` when the system provides no thread or descriptor: then the browse goes on without the session.
    package init?(
        request: BrowseRequest,
        configuration: OneShotConfiguration = OneShotConfiguration(),
        clock: some MonotonicClock = ContinuousClock(),
        report: @escaping @Sendable ([BrowseEvent]) -> Void,
        reportOwn: @escaping @Sendable ([Sighting]) -> Void = { _ in }
    ) {
        guard let loop = try? SocketLoop(name: "mdns-one-shot", clock: clock) else { return nil }
        self.loop = loop
        self.clock = clock
        self.ownServices = OwnServices(now: clock.now)
        self.report = report
        self.reportOwnServices = reportOwn
        self.query = OneShotQuery(request: request, configuration: configuration, now: clock.now)
    }

    /// Opens the ports and begins to ask.
    package func begin() {
        // Without a monitor the links stay as they are now, which is better than nothing.
        if let monitor = try? LinkMonitor() {
            loop.watch(monitor.descriptor) { [weak self] in
                self?.assumeIsolated { $0.linksChanged() }
            }
            self.monitor = consume monitor
        }
        ownAddresses = Self.addressesOfThisHost()
        perform(query.setLinks(Link.all(), now: clock.now))
    }

    /// Closes the ports. Nothing is reported after this has returned.
    package func end() {
        hasEnded = true
        loop.setDeadline(nil, for: ObjectIdentifier(self)) {}
        if let descriptor = monitor?.descriptor { loop.unwatch(descriptor) }
        monitor = nil
        for port in ports.values { loop.unwatch(port.socket.descriptor) }
        ports = [:]
        for port in ownHostPorts.values { loop.unwatch(port.socket.descriptor) }
        ownHostPorts = [:]
        stopListening()
    }

    // MARK: From any thread

    /// Handles a report of the backend: it sees some instances as well, others are gone, it works or does not, and is
    /// about to report more or not.
    ///
    /// The report is handled on the session's thread, soon.
    package nonisolated func backendReported(
        confirmed: [(ServiceInstance, ServicePath)],
        gone: [(ServiceInstance, ServicePath)],
        isRunning: Bool,
        isBusy: Bool
    ) {
        loop.later { [weak self] in
            self?.assumeIsolated { session in
                for (instance, path) in confirmed { session.query.confirm(instance, on: path) }
                for (instance, path) in gone { session.query.forget(instance, on: path, now: session.clock.now) }
                session.query.backendChanged(isRunning: isRunning, isBusy: isBusy, now: session.clock.now)
                session.update()
            }
        }
    }

    /// Records that the backend has lost packets, on the session's thread, soon.
    package nonisolated func backendLost() {
        loop.later { [weak self] in
            self?.assumeIsolated { session in
                session.query.backendLost(now: session.clock.now)
                session.update()
            }
        }
    }

    /// Records that the endpoint of an instance does not answer, on the session's thread, soon.
    package nonisolated func reconfirm(_ instance: ServiceInstance) {
        loop.later { [weak self] in
            self?.assumeIsolated { session in
                session.query.reconfirm(instance, now: session.clock.now)
                session.update()
            }
        }
    }

    /// Sets whether an instance is known to be alive by other means, on the session's thread, soon: while it is, it is
    /// not given up for lack of room.
    package nonisolated func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        loop.later { [weak self] in
            self?.assumeIsolated { $0.query.protect(instance, isProtected) }
        }
    }

    // MARK: On the thread

    private func linksChanged() {
        monitor?.drain()
        linkPacing.noteChange(now: clock.now)
        update()
    }

    func reportOwn(_ sightings: [Sighting]) {
        reportOwnServices(sightings)
    }

    func perform(_ actions: [OneShotAction]) {
        guard !hasEnded else { return }
        for action in actions {
            switch action {
            case .send(let bytes, on: let path): send(bytes, on: path)
            case .multicast(let bytes, on: let path): multicast(bytes, on: path)
            case .listen(on: let path): _ = groupPort(of: path)
            case .stopListening: stopListening()
            }
        }
        update()
    }

    /// Does what follows from the state of the query: closes the sockets of paths that it no longer uses, reports what
    /// it has found, and sets the time of its next step.
    func update() {
        guard !hasEnded else { return }
        for (path, port) in ports where !query.activePaths.contains(path) {
            loop.unwatch(port.socket.descriptor)
            ports[path] = nil
        }
        for (path, port) in groupPorts where !query.activePaths.contains(path) {
            loop.unwatch(port.socket.descriptor)
            groupPorts[path] = nil
        }
        let events = query.takeEvents()
        if !events.isEmpty { report(events) }
        askOwnHost(now: clock.now)
        let closings = ownHostPorts.values.map(\.end)
        let deadline = ([query.deadline, linkPacing.due, ownServices.deadline].compactMap { $0 } + closings).min()
        loop.setDeadline(deadline, for: ObjectIdentifier(self)) { [weak self] in
            self?.assumeIsolated { $0.tick() }
        }
    }

    private func tick() {
        let now = clock.now
        var actions: [OneShotAction] = []
        if let time = linkPacing.due, time <= now {
            linkPacing.noteLook(now: now)
            ownAddresses = Self.addressesOfThisHost()
            actions = query.setLinks(Link.all(), now: now)
        }
        perform(actions + query.tick(now: now))
    }

    private func send(_ bytes: [UInt8], on path: ServicePath) {
        let group = MulticastGroup.address(of: path.family, on: path.interface)
        do throws(SystemError) {
            let port = try port(of: path)
            try port.socket.send(bytes, to: SocketAddress(group, port: MulticastGroup.port))
            metrics.sent.increment()
        } catch {
            // A new address cannot be used yet, or there is no descriptor available at the moment.
            query.couldNotSend(on: path)
        }
    }

    /// Returns the port of a path, which is opened when it is first needed.
    ///
    /// - Throws: When the system provides none.
    private func port(of path: ServicePath) throws(SystemError) -> Port {
        if let port = ports[path] { return port }
        let port = Port(try Self.open(path))
        ports[path] = port
        loop.watch(port.socket.descriptor) { [weak self] in
            self?.assumeIsolated { $0.read(path) }
        }
        return port
    }

    private static func open(_ path: ServicePath) throws(SystemError) -> UDPSocket {
        let socket = try UDPSocket(path.family)
        try socket.receiveOrigins()
        try socket.multicast(through: path.interface)
        // The daemon of this host would take the question for one that is answered by multicast, and not ask itself for
        // a second.
        try socket.disableMulticastLoopback()
        // A large network answers with hundreds of packets at once. The system may grant less room.
        socket.makeRoom(bytes: 4 << 20)
        try socket.bind(port: 0)
        return socket
    }

    private func read(_ path: ServicePath) {
        guard let port = ports[path] else { return }
        let drops = read(port, of: path) { query, packet in query.receive(packet, on: path, now: clock.now) }
        if drops > 0 { query.lost(drops, on: path, now: clock.now) }
        update()
    }

    /// - Returns: The number of packets that were lost.
    private func read(
        _ port: Port,
        of path: ServicePath,
        _ take: (inout OneShotQuery, OneShotPacket) -> Void
    ) -> Int {
        reading: for _ in 0..<Self.packetsPerTurn {
            switch reader.read(port.socket, interface: path.interface) {
            case .datagram(let datagram):
                let packet = OneShotPacket(
                    bytes: datagram.bytes,
                    source: datagram.source.address,
                    port: datagram.source.port,
                    interface: datagram.interface
                )
                metrics.received.increment()
                take(&query, packet)
            case .nothing: continue
            case .empty: break reading
            }
        }
        let drops = port.drops.take(from: port.socket)
        if drops > 0 { metrics.lost.increment(by: drops) }
        return drops
    }

    // MARK: Multicast packets

    private func multicast(_ bytes: [UInt8], on path: ServicePath) {
        // If there is no such port, it is left to the backend to ask, a little later.
        guard let port = groupPort(of: path) else { return }
        let group = MulticastGroup.address(of: path.family, on: path.interface)
        metrics.sent.increment()
        try? port.socket.send(bytes, to: SocketAddress(group, port: MulticastGroup.port))
    }

    /// Returns the port that listens to the group of a path, which is opened when it is first needed; `nil` if the
    /// system provides none.
    private func groupPort(of path: ServicePath) -> Port? {
        if let port = groupPorts[path] { return port }
        guard let socket = try? Self.openToGroup(path) else { return nil }
        let port = Port(socket)
        groupPorts[path] = port
        loop.watch(port.socket.descriptor) { [weak self] in
            self?.assumeIsolated { $0.hear(path) }
        }
        return port
    }

    /// Opens a socket on port 5353, beside the daemon that uses it. It is bound to the group's address, so that unicast
    /// packets for the daemon or another program do not arrive here instead (RFC 6762 §15).
    private static func openToGroup(_ path: ServicePath) throws(SystemError) -> UDPSocket {
        let socket = try UDPSocket(path.family)
        try socket.receiveOrigins()
        try socket.multicast(through: path.interface)
        socket.makeRoom(bytes: 4 << 20)
        try socket.shareAddress()
        let group = MulticastGroup.address(of: path.family, on: path.interface)
        try socket.bind(to: SocketAddress(group, port: MulticastGroup.port))
        try socket.join(group, on: path.interface)
        return socket
    }

    private func hear(_ path: ServicePath) {
        guard let port = groupPorts[path] else { return }
        let drops = read(port, of: path) { query, packet in query.hear(packet, on: path, now: clock.now) }
        if drops > 0 { query.lost(drops, on: path, now: clock.now) }
        update()
    }

    private func stopListening() {
        for port in groupPorts.values { loop.unwatch(port.socket.descriptor) }
        groupPorts = [:]
    }
}
