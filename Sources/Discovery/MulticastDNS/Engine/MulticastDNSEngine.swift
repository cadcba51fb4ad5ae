internal import CoreMetrics
internal import DNSSD
internal import HostSystem
internal import Logging

/// The actor that runs the queriers and the responder on a thread of its own, with the sockets on port 5353 of every
/// link, the clock, and the callbacks of browses and publications.
///
/// The sockets are open while something browses or is published. Changes of the interfaces are followed as the system
/// reports them; nothing is polled.
actor MulticastDNSEngine {
    /// A browse, with the callback that it reports to.
    struct Browse {
        let request: BrowseRequest
        let report: @Sendable ([BrowseEvent]) -> Void

        /// The status of the engine, and the expectation of more instances, as last reported.
        var status: BackendStatus?
        var activity = BackendActivity.idle
    }

    /// The time after which the engine tries again to open a port that it could not open.
    private static let retryDelay = Duration.seconds(2)

    let loop: SocketLoop
    let clock: any MonotonicClock
    let configuration: MulticastDNSConfiguration
    let logger: Logger?
    let metrics = EngineMetrics()
    var random = SystemRandomNumberGenerator()
    var reader = DatagramReader()
    private var look: LinkLook

    /// The links, as they were at the last look.
    var links: [UInt32: Link] = [:]

    var ports: [ServicePath: EnginePort] = [:]

    /// The ports from which this host itself is asked, each open for a moment.
    var ownHostPorts: OwnHostPorts
    var browses: [BrowseID: Browse] = [:]

    /// The responder for everything that is published, and the callbacks that receive the state of each publication.
    var responder: Responder
    var publications: [PublicationID: @Sendable (PublicationState) -> Void] = [:]

    private var lastBrowse = 0

    /// The count of the instances on all links together.
    var instanceCounts = InstanceCounts()

    /// The instances that are known to be alive by other means, with the number of backends that know it.
    private var protected: [ServiceInstance: Int] = [:]

    /// The time at which the next turn is due by itself; `nil` while nothing is due.
    private(set) var deadline: ContinuousClock.Instant?

    /// The condition of which every browse is told.
    var condition = EngineCondition()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Creates an engine on a loop, with a clock and links that tests may choose.
    ///
    /// - Parameters:
    ///   - logger: Receives warnings for publishers while nothing browses, and in the end the numbers of queries that
    ///     were not answered.
    ///   - clock: The clock that the loop uses for deadlines.
    ///   - presentLinks: Returns the present links; `nil` for those of the system, which reports changes.
    init(
        configuration: MulticastDNSConfiguration,
        logger: Logger? = nil,
        loop: SocketLoop,
        clock: any MonotonicClock,
        presentLinks: (@Sendable () -> [Link])? = nil
    ) {
        self.loop = loop
        self.clock = clock
        self.look = LinkLook(present: presentLinks)
        self.configuration = configuration
        self.ownHostPorts = OwnHostPorts(loop: loop, receiveBuffer: configuration.receiveBuffer)
        self.logger = logger
        self.responder = Responder(systemName: SystemHostName.label ?? "", now: clock.now)
    }

    /// Indicates whether nobody browses or publishes with the engine.
    var isIdle: Bool { browses.isEmpty && publications.isEmpty }

    // MARK: Browses

    /// Begins a browse.
    ///
    /// - Throws: When the request can never be served.
    func begin(
        _ request: BrowseRequest,
        report: @escaping @Sendable ([BrowseEvent]) -> Void
    ) throws(BackendError) -> BrowseID {
        lastBrowse += 1
        let id = BrowseID(rawValue: lastBrowse)
        openIfIdle()
        browses[id] = Browse(request: request, report: report)
        do throws(BackendError) {
            for path in ports.keys { try add(id, to: path) }
        } catch {
            end(id)
            throw error
        }
        // Packets that were lost before do not affect this browse.
        condition.warnings.removeAll { $0.code == .packetsLost }
        if !condition.warnings.isEmpty { report(condition.warnings.map { .warning($0) }) }
        for path in ports.keys { askOwnHost(on: path) }
        turn()
        return id
    }

    /// Ends a browse. Nothing is reported to it after this has returned.
    func end(_ id: BrowseID) {
        guard browses.removeValue(forKey: id) != nil else { return }
        for port in ports.values { port.querier.endBrowse(id, now: clock.now) }
        closeIfIdle()
        turn()
    }

    private func add(_ id: BrowseID, to path: ServicePath) throws(BackendError) {
        guard let request = browses[id]?.request else { return }
        guard request.interfaces.isEmpty || request.interfaces.contains(path.interface.name) else { return }
        try ports[path]?.querier.browse(
            id,
            for: request.types,
            in: request.domain.escaped,
            now: clock.now,
            using: &random
        )
    }

    /// Records that the service that an instance advertises did not answer (RFC 6762 §10.4), on the engine's thread,
    /// soon.
    nonisolated func reconfirm(_ instance: ServiceInstance) {
        loop.later { [weak self] in
            self?.assumeIsolated { engine in
                let now = engine.clock.now
                for port in engine.ports.values { port.querier.reconfirm(instance, now: now, using: &engine.random) }
                engine.turn()
            }
        }
    }

    /// Records that one more backend, or one less, knows by other means that an instance is alive, on the engine's thread,
    /// soon: while any does, it is not given up for lack of room.
    nonisolated func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        loop.later { [weak self] in
            self?.assumeIsolated { engine in
                let before = engine.protected[instance, default: 0]
                let after = max(0, before + (isProtected ? 1 : -1))
                engine.protected[instance] = after > 0 ? after : nil
                guard (before > 0) != (after > 0) else { return }
                for port in engine.ports.values { port.querier.protect(instance, isProtected) }
            }
        }
    }

    // MARK: Links

    func openIfIdle() {
        guard isIdle else { return }
        // Without a monitor the links stay as they are now, which is better than nothing.
        if look.present == nil, let monitor = try? LinkMonitor() {
            loop.watch(monitor.descriptor) { [weak self] in
                self?.assumeIsolated { $0.linksChanged() }
            }
            look.monitor = consume monitor
        }
        followLinks()
    }

    func closeIfIdle() {
        guard isIdle else { return }
        if responder.counters != ResponderCounters() { logger?.debug("not answered: \(responder.counters)") }
        setDeadline(nil)
        if let descriptor = look.monitor?.descriptor { loop.unwatch(descriptor) }
        look.monitor = nil
        for port in ports.values { port.link.close() }
        ports = [:]
        ownHostPorts.close(until: nil)
        instanceCounts = InstanceCounts()
        links = [:]
        responder.setLinks([], now: clock.now, using: &random)
        look.pacing = LinkPacing()
        condition.trouble = nil
        condition.warnings = []
    }

    /// Plans to look at the links again soon, since the system has reported a change.
    func linksChanged() {
        look.monitor?.drain()
        look.pacing.noteChange(now: clock.now)
        turn()
    }

    /// Opens a port on each path that has none, and closes those whose link is gone.
    private func followLinks() {
        look.pacing.noteLook(now: clock.now)
        condition.trouble = nil
        let present = (look.present?() ?? Link.all()).prefix(configuration.maximumInterfaces)
        links = Dictionary(present.map { ($0.interface.index, $0) }) { first, _ in first }
        let paths = Set(
            present.flatMap { link in link.families.map { ServicePath(interface: link.interface, family: $0) } }
        )
        for (path, port) in ports where !paths.contains(path) {
            port.link.close()
            ports[path] = nil
            deliver(port.querier.end(.interfaceDown))
            instanceCounts.apply(port.querier.takeTurnover())
            condition.losses.entries += port.querier.takeLeftOut()
        }
        for path in paths.sorted() where ports[path] == nil {
            do throws(SystemError) {
                try openPort(path)
            } catch {
                condition.trouble = Self.trouble(with: path, error)
                look.pacing.lookAgain(at: clock.now + Self.retryDelay)
            }
        }
        let used = Set(ports.keys.map(\.interface))
        responder.setLinks(
            present.filter { used.contains($0.interface) },
            trouble: condition.trouble,
            now: clock.now,
            using: &random
        )
    }

    private func openPort(_ path: ServicePath) throws(SystemError) {
        let link = try LinkPort(
            .responding,
            on: path,
            group: MulticastGroup.endpoint(on: path),
            receiveBuffer: configuration.receiveBuffer,
            loop: loop,
            whenReadable: { [weak self] in self?.assumeIsolated { $0.read(path) } }
        )
        let querier = Querier(
            path: path,
            limits: QuerierLimits(instances: configuration.maximumInstances, bytes: configuration.maximumBytes),
            payload: MulticastGroup.payload(path.family),
            now: clock.now
        )
        let port = EnginePort(link, querier: querier)
        ports[path] = port
        // The request was checked when the browse began: it cannot fail on another path.
        for id in browses.keys.sorted() { try? add(id, to: path) }
        port.querier.setOwn(responder.instances)
        for instance in protected.keys { port.querier.protect(instance, true) }
    }

    // MARK: Turns

    /// Does what is due, sends the resulting packets and reports the resulting events.
    func turn() {
        guard !isIdle else { return }
        let now = clock.now
        if let time = look.pacing.due, time <= now { followLinks() }
        ownHostPorts.close(until: now)
        perform(responder.turn(now: now, using: &random))
        var gone: [(instance: ServiceInstance, path: ServicePath)] = []
        // In order: the ports draw from one generator.
        let paths = ports.keys.sorted()
        for path in paths {
            guard let port = ports[path] else { continue }
            let actions = port.querier.turn(now: now, using: &random)
            if !actions.packets.isEmpty {
                metrics.sent.increment(by: actions.packets.count)
                metrics.queries.increment(by: actions.packets.count)
            }
            for packet in actions.packets {
                port.echoes.insert(packet)
                // A lost question is asked again, and where nothing can be sent no answer will come.
                try? port.link.send(packet)
            }
            if !actions.events.isEmpty { deliver(actions.events) }
            gone += port.querier.takeGone().map { ($0, path) }
            instanceCounts.apply(port.querier.takeTurnover())
            condition.losses.entries += port.querier.takeLeftOut()
        }
        // After all ports had their turn, so that those where the instance has gone as well are left alone.
        for (instance, path) in gone {
            for other in paths where other != path {
                ports[other]?.querier.noteGoneElsewhere(instance, now: now, using: &random)
            }
        }
        metrics.instances.set(instanceCounts.count)
        reportLosses()
        reportStatus()
        let deadlines =
            [look.pacing.due, responder.deadline, ownHostPorts.deadline] + ports.values.map(\.querier.deadline)
        setDeadline(deadlines.compactMap { $0 }.min())
    }

    private func setDeadline(_ time: ContinuousClock.Instant?) {
        deadline = time
        loop.setDeadline(time, for: ObjectIdentifier(self)) { [weak self] in
            self?.assumeIsolated { $0.turn() }
        }
    }
}
