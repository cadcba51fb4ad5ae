internal import DNSSD
internal import HostSystem

/// Runs one browse: carries out the state machine's actions on references of the library, on the loop's thread.
actor BonjourBrowseSession: LibrarySession {
    private let environment: SessionEnvironment
    private let request: BrowseRequest
    private let report: @Sendable ([BrowseEvent]) -> Void

    private var machine: BonjourBrowseStateMachine
    /// The references that browse for instances, by descriptor.
    private var browsers: [CInt: ServiceReference] = [:]
    private var lookups: [LookupKey: ServiceReference] = [:]
    private var backoff = Backoff()

    private var clock: any MonotonicClock { environment.clock }
    private var loop: SocketLoop { environment.loop }
    private var isWanted: Bool { environment.lifetime.isWanted }

    nonisolated var unownedExecutor: UnownedSerialExecutor { environment.loop.asUnownedSerialExecutor() }

    init(
        _ environment: SessionEnvironment,
        request: BrowseRequest,
        limits: BrowseLimits,
        report: @escaping @Sendable ([BrowseEvent]) -> Void
    ) {
        self.environment = environment
        self.request = request
        self.report = report
        let (publications, protected) = (environment.publications, environment.protected)
        self.machine = BonjourBrowseStateMachine(
            limits: limits,
            interfaces: request.interfaces,
            interfaceName: { Self.name(ofInterface: $0) },
            isOurs: { publications.contains($0) },
            isProtected: { protected.contains($0) }
        )
    }

    // MARK: LibrarySession

    func begin() {
        guard isWanted else { return }
        let loop = loop
        environment.publications.observe(ObjectIdentifier(self)) { [weak self, weak loop] name in
            loop?.later { [weak self] in self?.assumeIsolated { $0.ownershipChanged(of: name) } }
        }
        connect()
    }

    func reportAgain() {
        report([.status(machine.status)])
    }

    func end() {
        environment.publications.ignore(ObjectIdentifier(self))
        environment.pool.forget(ObjectIdentifier(self))
        loop.setDeadline(nil, for: ObjectIdentifier(self)) {}
        freeAll()
    }

    // MARK: The daemon

    private func connect() {
        let began = clock.now
        do throws(DNSServiceError) {
            for type in request.types.flatMap(Self.browsedTypes) {
                guard isWanted else { return }
                let inquiry = Inquiry.browse(type: type, domain: request.domain.escaped)
                guard let browser = try ServiceReference(inquiry, on: loop, from: environment.pool) else {
                    return lose(.noReference)
                }
                browsers[browser.descriptor] = browser
                loop.watch(browser.descriptor) { [weak self, descriptor = browser.descriptor] in
                    self?.assumeIsolated { $0.readBrowser(descriptor) }
                }
            }
            backoff.connected(now: clock.now)
            run(machine.started(now: clock.now))
        } catch {
            lose(BackendError(error, after: clock.now - began))
        }
    }

    /// Returns the names to browse for, as the library wants them: the type, or one name for each of its subtypes.
    private static func browsedTypes(of type: ServiceType) -> [String] {
        guard !type.subtypes.isEmpty else { return [type.description] }
        return type.subtypes.map {
            ServiceType(checkedName: type.name, transport: type.transport, subtypes: [$0]).description
        }
    }

    private func lose(_ error: BackendError) {
        freeAll()
        backoff.failed(now: clock.now)
        run(machine.lost(error, now: clock.now))
    }

    private func readBrowser(_ descriptor: CInt) {
        guard isWanted, let browser = browsers[descriptor] else { return }
        for event in browser.read() {
            // An earlier event may have shown that the daemon is gone; the remaining ones are then out of date.
            guard browsers[descriptor] === browser else { return }
            receive(event)
        }
    }

    private func readLookup(_ key: LookupKey) {
        guard isWanted, let events = lookups[key]?.read() else { return }
        for event in events { run(machine.receive(event, from: key, now: clock.now)) }
    }

    private func receive(_ event: ReferenceEvent) {
        switch event {
        case .instance(let isAdded, let name, let type, let domain, let interface):
            guard let name, let domain, let type = type.flatMap({ try? ServiceType(Self.trimmed($0)) }),
                let instance = try? ServiceInstance(name: name, type: type.base, domain: Self.trimmed(domain))
            else { return run(machine.malformed(now: clock.now)) }
            run(machine.instanceChanged(instance, isAdded: isAdded, interface: interface, now: clock.now))
        case .failed(let error):
            // All browsers report the same failure; the first report has freed them.
            if !browsers.isEmpty { lose(BackendError(error)) }
        case .resolved, .record, .registered:
            break
        }
    }

    private func ownershipChanged(of name: ServiceInstance) {
        run(machine.ownershipChanged(of: name, now: clock.now))
    }

    private func tick() {
        guard isWanted else { return }
        if backoff.isDue(now: clock.now) {
            connect()
        } else {
            run(machine.tick(now: clock.now))
        }
    }

    // MARK: Actions

    private func run(_ actions: [BonjourBrowseAction]) {
        for action in actions {
            switch action {
            case .report(let events): report(events)
            case .start(let key): start(key)
            case .stop(let key): stop(key)
            }
        }
        let deadline = [machine.deadline, backoff.deadline].compactMap { $0 }.min()
        loop.setDeadline(isWanted ? deadline : nil, for: ObjectIdentifier(self)) { [weak self] in
            self?.assumeIsolated { $0.tick() }
        }
    }

    private func start(_ key: LookupKey) {
        // The failure of an earlier action in this batch may have cancelled this one.
        guard isWanted, machine.running[key] != nil else { return }
        let began = clock.now
        do throws(DNSServiceError) {
            guard let lookup = try ServiceReference(key.inquiry, on: loop, from: environment.pool) else {
                machine.refused(key)
                return waitForReference()
            }
            if let former = lookups.updateValue(lookup, forKey: key) { free(former) }
            loop.watch(lookup.descriptor) { [weak self] in
                self?.assumeIsolated { $0.readLookup(key) }
            }
        } catch {
            let time = clock.now - began
            guard time < BackendError.answerTimeout else { return lose(BackendError(error, after: time)) }
            // In a turn of its own, since the actions of this turn are still being carried out. The look-up's time-out
            // would notice the failure as well, but later.
            loop.later { [weak self] in
                self?.assumeIsolated { $0.run($0.machine.receive(.failed(error), from: key, now: $0.clock.now)) }
            }
        }
    }

    private func waitForReference() {
        let loop = loop
        environment.pool.wait(ObjectIdentifier(self)) { [weak self, weak loop] in
            loop?.later { [weak self] in self?.assumeIsolated { $0.run($0.machine.referenceFreed(now: $0.clock.now)) } }
        }
    }

    private func stop(_ key: LookupKey) {
        guard let lookup = lookups.removeValue(forKey: key) else { return }
        free(lookup)
    }

    private func freeAll() {
        for reference in Array(browsers.values) + Array(lookups.values) { free(reference) }
        browsers = [:]
        lookups = [:]
    }

    private func free(_ reference: ServiceReference) {
        loop.unwatch(reference.descriptor)
        reference.free()
    }

    /// Returns a name without the final dot that libdns_sd appends for the root.
    private static func trimmed(_ name: String) -> String { name.hasSuffix(".") ? String(name.dropLast()) : name }

    /// Returns the name of an interface, a substitute if the interface has just gone, or `nil` if the index stands for
    /// no single interface.
    private static func name(ofInterface index: UInt32) -> String? {
        guard (1...UInt32(Int32.max)).contains(index) else { return nil }
        return HostInterface.name(ofIndex: index) ?? "if\(index)"
    }
}
