internal import CoreMetrics
package import DNSSD
internal import HostSystem

/// A session that runs a ``OneShotQuery`` on the thread of all sessions and on ports of its own, from ``begin()`` to ``end()``.
package actor OneShotSession {
    /// The size of the receive buffers in bytes: a large network answers with hundreds of packets at once. The system may
    /// grant less.
    private static let receiveBuffer = 4 << 20

    let loop: SocketLoop
    let clock: any MonotonicClock
    private let metrics = OneShotMetrics()
    private let report: @Sendable ([BrowseEvent]) -> Void
    private let reportOwnServices: @Sendable ([Sighting]) -> Void
    private(set) var query: OneShotQuery
    var reader = DatagramReader()
    private var ports: [ServicePath: LinkPort] = [:]

    /// The ports that listen to the groups, while that is needed.
    private var groupPorts: [ServicePath: LinkPort] = [:]

    /// Follows the changes of the links, with the observer that all share.
    private var following: Task<Void, Never>?

    /// The pacing of the look at the links after changes.
    private var linkPacing = LinkPacing()

    /// The services that lead to this host, the ports from which this host is asked about them, and its addresses.
    var ownServices: OwnServices
    var ownHostPorts: OwnHostPorts
    private(set) var ownAddresses: Set<IPAddress> = []

    private(set) var hasEnded = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Creates a session, and the thread that all sessions run on if there is none.
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
        guard let loop = try? SocketLoop.shared(name: "mdns-one-shot", clock: clock) else { return nil }
        self.loop = loop
        self.clock = clock
        self.ownServices = OwnServices(now: clock.now)
        self.ownHostPorts = OwnHostPorts(loop: loop)
        self.report = report
        self.reportOwnServices = reportOwn
        self.query = OneShotQuery(request: request, configuration: configuration, now: clock.now)
    }

    /// Opens the ports and begins to ask.
    package func begin() {
        // Before the first look, so that no change is missed. Without an observer the links stay as they are now, which
        // is better than nothing.
        let changes = NetworkChanges.stream()
        following = Task { [weak self] in
            for await _ in changes { await self?.linksChanged() }
        }
        ownAddresses = Self.addressesOfThisHost()
        perform(query.setLinks(Link.all(), now: clock.now))
    }

    /// Closes the ports. Nothing is reported after this has returned.
    package func end() {
        hasEnded = true
        loop.setDeadline(nil, for: ObjectIdentifier(self)) {}
        following?.cancel()
        ports.close()
        groupPorts.close()
        ownHostPorts.close(until: nil)
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
            case .stopListening: groupPorts.close()
            }
        }
        update()
    }

    /// Does what follows from the state of the query: closes the sockets of paths that it no longer uses, reports what
    /// it has found, and sets the time of its next step.
    func update() {
        guard !hasEnded else { return }
        ports.close { !query.activePaths.contains($0) }
        groupPorts.close { !query.activePaths.contains($0) }
        let events = query.takeEvents()
        if !events.isEmpty { report(events) }
        askOwnHost(now: clock.now)
        let deadlines = [query.deadline, linkPacing.due, ownServices.deadline, ownHostPorts.deadline]
        loop.setDeadline(deadlines.compactMap { $0 }.min(), for: ObjectIdentifier(self)) { [weak self] in
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
        do throws(SystemError) {
            try port(of: path).send(bytes)
            metrics.sent.increment()
        } catch {
            // A new address cannot be used yet, or there is no descriptor available at the moment.
            query.couldNotSend(on: path)
        }
    }

    /// Returns the port of a path, which is opened when it is first needed.
    ///
    /// - Throws: When the system provides none.
    private func port(of path: ServicePath) throws(SystemError) -> LinkPort {
        if let port = ports[path] { return port }
        let port = try open(.asking, on: path) { [weak self] in self?.assumeIsolated { $0.read(path) } }
        ports[path] = port
        return port
    }

    private func open(
        _ use: LinkPort.Use,
        on path: ServicePath,
        whenReadable: @escaping @Sendable () -> Void
    ) throws(SystemError) -> LinkPort {
        try LinkPort(
            use,
            on: path,
            group: MulticastGroup.endpoint(on: path),
            receiveBuffer: Self.receiveBuffer,
            loop: loop,
            whenReadable: whenReadable
        )
    }

    private func read(_ path: ServicePath) {
        guard let port = ports[path] else { return }
        let drops = read(port) { query, packet in query.receive(packet, on: path, now: clock.now) }
        if drops > 0 { query.lost(drops, on: path, now: clock.now) }
        update()
    }

    /// - Returns: The number of packets that were lost.
    private func read(
        _ port: LinkPort,
        _ take: (inout OneShotQuery, OneShotPacket) -> Void
    ) -> Int {
        let drops = port.read(with: &reader) { datagram in
            let packet = OneShotPacket(
                bytes: datagram.bytes,
                source: datagram.source.address,
                port: datagram.source.port,
                interface: datagram.interface
            )
            metrics.received.increment()
            take(&query, packet)
        }
        if drops > 0 { metrics.lost.increment(by: drops) }
        return drops
    }

    // MARK: Multicast packets

    private func multicast(_ bytes: [UInt8], on path: ServicePath) {
        // If there is no such port, it is left to the backend to ask, a little later.
        guard let port = groupPort(of: path) else { return }
        metrics.sent.increment()
        try? port.send(bytes)
    }

    /// Returns the port that listens to the group of a path, which is opened when it is first needed; `nil` if the
    /// system provides none.
    private func groupPort(of path: ServicePath) -> LinkPort? {
        if let port = groupPorts[path] { return port }
        let port = try? open(.hearing, on: path) { [weak self] in self?.assumeIsolated { $0.hear(path) } }
        groupPorts[path] = port
        return port
    }

    private func hear(_ path: ServicePath) {
        guard let port = groupPorts[path] else { return }
        let drops = read(port) { query, packet in query.hear(packet, on: path, now: clock.now) }
        if drops > 0 { query.lost(drops, on: path, now: clock.now) }
        update()
    }
}

/// The counters of a session, created once.
struct OneShotMetrics: Sendable {
    let received = Self.packets("in")
    let sent = Self.packets("out")
    let lost = Counter(label: "clawradar_one_shot_packets_lost_total")

    private static func packets(_ direction: String) -> Counter {
        Counter(label: "clawradar_one_shot_packets_total", dimensions: [("direction", direction)])
    }
}
