internal import DNSSD
internal import HostSystem

/// Runs one publication: carries out the state machine's actions on references of the library, on the loop's thread.
actor BonjourPublishSession: LibrarySession {
    private let environment: SessionEnvironment
    private let advertisement: Advertisement
    private let registrations: Set<RegistrationKey>
    private let report: @Sendable (PublicationState) -> Void

    private var machine: BonjourPublishStateMachine
    private var references: [RegistrationKey: ServiceReference] = [:]
    private var own: Set<ServiceInstance> = []
    private var backoff = Backoff()

    /// The state that was last reported.
    private var reported: PublicationState?

    private var clock: any MonotonicClock { environment.clock }
    private var loop: SocketLoop { environment.loop }
    private var isWanted: Bool { environment.lifetime.isWanted }

    nonisolated var unownedExecutor: UnownedSerialExecutor { environment.loop.asUnownedSerialExecutor() }

    init(
        _ environment: SessionEnvironment,
        advertisement: Advertisement,
        report: @escaping @Sendable (PublicationState) -> Void
    ) {
        self.environment = environment
        self.advertisement = advertisement
        self.report = report
        var registrations: Set<RegistrationKey> = []
        for type in advertisement.types {
            if advertisement.interfaces.isEmpty {
                registrations.insert(RegistrationKey(type: type, interface: 0))
            }
            for name in advertisement.interfaces {
                // An interface that does not exist now is left out: the library takes indices only.
                guard let index = HostInterface.index(ofName: name) else { continue }
                registrations.insert(RegistrationKey(type: type, interface: index))
            }
        }
        self.registrations = registrations
        self.machine = BonjourPublishStateMachine(advertisement, registrations: registrations)
    }

    // MARK: LibrarySession

    func begin() {
        guard isWanted else { return }
        guard !registrations.isEmpty else {
            let names = advertisement.interfaces.sorted().joined(separator: ", ")
            return send(.failed(BackendError(.invalid, "no interface of this host is called \(names).")))
        }
        run(machine.connect())
    }

    func reportAgain() {
        if let reported { report(reported) }
    }

    func end() {
        loop.setDeadline(nil, for: ObjectIdentifier(self)) {}
        let wasPublished = !references.isEmpty
        withdraw()
        if wasPublished { send(.withdrawn) }
    }

    /// Publishes another TXT record.
    func update(_ txt: TXTRecord) {
        guard isWanted else { return }
        run(machine.update(txt))
    }

    // MARK: Actions

    private func run(_ actions: [BonjourPublishAction]) {
        for action in actions {
            switch action {
            case .report(let state): send(state)
            case .register(let name, let txt): register(name, txt)
            case .updateTXT(let txt): updateTXT(txt)
            case .withdraw: withdraw()
            }
        }
        let deadline = isWanted && machine.isWaiting ? backoff.deadline : nil
        loop.setDeadline(deadline, for: ObjectIdentifier(self)) { [weak self] in
            self?.assumeIsolated { $0.run($0.machine.connect()) }
        }
    }

    private func send(_ state: PublicationState) {
        if case .published(let name) = state { take(name) }
        reported = state
        report(state)
    }

    private func register(_ name: String, _ txt: TXTRecord) {
        let began = clock.now
        do throws(DNSServiceError) {
            guard let data = try? txt.encoded() else { throw .badParameter }
            for key in registrations {
                guard isWanted else { return }
                let inquiry = Inquiry.register(
                    name: name,
                    type: key.type,
                    port: advertisement.port,
                    txt: data,
                    interface: key.interface
                )
                guard let reference = try ServiceReference(inquiry, on: loop, from: environment.pool) else {
                    return lose(machine.unavailable(.noReference))
                }
                references[key] = reference
                loop.watch(reference.descriptor) { [weak self] in
                    self?.assumeIsolated { $0.read(key) }
                }
            }
            backoff.connected(now: clock.now)
        } catch {
            lose(machine.failed(error, after: clock.now - began))
        }
    }

    private func updateTXT(_ txt: TXTRecord) {
        let began = clock.now
        do throws(DNSServiceError) {
            guard let data = try? txt.encoded() else { throw .badParameter }
            for reference in references.values {
                guard isWanted else { return }
                try reference.updateTXT(data)
            }
        } catch {
            // The registrations would otherwise go on publishing an outdated TXT record.
            lose(machine.failed(error, after: clock.now - began))
        }
    }

    private func read(_ key: RegistrationKey) {
        guard isWanted, let reference = references[key] else { return }
        for event in reference.read() {
            // An earlier event may have replaced the reference.
            guard references[key] === reference else { return }
            switch event {
            case .registered(let name): run(machine.registered(key, as: name ?? machine.name))
            case .failed(let error): lose(machine.failed(error))
            case .instance, .resolved, .record: break
            }
        }
    }

    private func lose(_ actions: [BonjourPublishAction]) {
        // A name conflict is not a failure of the daemon: the next name is tried at once.
        if machine.isWaiting { backoff.failed(now: clock.now) }
        run(actions)
    }

    private func withdraw() {
        for reference in references.values {
            loop.unwatch(reference.descriptor)
            reference.free()
        }
        references = [:]
        for name in own { environment.publications.remove(name) }
        own = []
    }

    private func take(_ name: String) {
        for former in own { environment.publications.remove(former) }
        own = Set(advertisement.types.compactMap { try? ServiceInstance(name: name, type: $0.base) })
        for new in own { environment.publications.add(new) }
    }
}
