internal import DNSSD

/// Turns the replies of libdns_sd into sightings, and decides what to ask next. A value: no clock, no I/O.
///
/// References are expensive with Avahi's library, so they are freed as soon as possible: an instance is resolved and
/// its reference freed, and its host is asked for once for all of its services. The TXT records of the first instances
/// are watched; those of the others are looked up again from time to time.
struct BonjourBrowseStateMachine {
    let limits: BrowseLimits

    /// The names of the interfaces to browse on; empty means all.
    let wantedInterfaces: Set<String>

    /// The name of the interface with this index.
    let interfaceName: (UInt32) -> String?

    /// Indicates whether this process published the instance.
    let isOurs: (ServiceInstance) -> Bool

    /// Indicates whether the instance is known to be alive by other means.
    let isProtected: (ServiceInstance) -> Bool

    /// The instances that are known, by instance and interface.
    var paths: [InstanceKey: ResolvedInstance] = [:]

    /// The hosts that instances point to.
    var hosts: [HostKey: LinkHost] = [:]

    /// The running questions, each with the time at which it ends; `nil` for a watch, which lasts as long as its
    /// instance.
    var running: [LookupKey: ContinuousClock.Instant?] = [:]

    /// The questions that are to be asked next.
    var queue = LookupQueue()

    /// The questions that are running or queued for the first time. The browse is busy while there are any.
    var first: Set<LookupKey> = []

    /// The earliest time at which an instance is due to be resolved again.
    var refreshDue: ContinuousClock.Instant?

    /// Indicates whether a question is waiting because the references are in use elsewhere.
    private var isStarved = false

    /// The time at which instances are given up that have not been found again since the daemon came back.
    private var returnDeadline: ContinuousClock.Instant?

    /// The time until which the first answers are waited for.
    private var firstAnswers: ContinuousClock.Instant?

    /// The state of the library's daemon.
    private(set) var status = BackendStatus.starting

    private var activity = BackendActivity.idle
    private var warned: Set<BackendWarning.Code> = []

    /// The events that are to be reported at the end of the turn.
    var events: [BrowseEvent] = []

    /// The actions that are to be carried out at the end of the turn.
    var actions: [BonjourBrowseAction] = []

    init(
        limits: BrowseLimits = BrowseLimits(),
        interfaces: Set<String> = [],
        interfaceName: @escaping (UInt32) -> String?,
        isOurs: @escaping (ServiceInstance) -> Bool,
        isProtected: @escaping (ServiceInstance) -> Bool
    ) {
        self.limits = limits
        self.wantedInterfaces = interfaces
        self.interfaceName = interfaceName
        self.isOurs = isOurs
        self.isProtected = isProtected
    }

    // MARK: The library

    /// Records that the browse for instances has started.
    mutating func started(now: ContinuousClock.Instant) -> [BonjourBrowseAction] {
        status = .running
        events.append(.status(status))
        firstAnswers = now + limits.firstAnswer
        if !paths.isEmpty { returnDeadline = now + limits.returnTimeout }
        return turn(now)
    }

    /// Handles the loss of every reference, for this reason. Reported sightings are kept until the daemon is back.
    mutating func lost(_ error: BackendError, now: ContinuousClock.Instant) -> [BonjourBrowseAction] {
        status = .unavailable(error)
        events.append(.status(status))
        running = [:]
        queue = LookupQueue()
        first = []
        isStarved = false
        firstAnswers = nil
        returnDeadline = nil
        refreshDue = nil
        for key in paths.keys {
            paths[key]?.count = 0
            paths[key]?.refreshAt = nil
            paths[key]?.endWatch()
        }
        for key in hosts.keys {
            hosts[key]?.seen = [:]
            hosts[key]?.ends = [:]
            hosts[key]?.asked = []
            hosts[key]?.askAt = nil
        }
        return turn(now)
    }

    /// Handles an instance that has come or gone on an interface.
    mutating func instanceChanged(
        _ name: ServiceInstance,
        isAdded: Bool,
        interface: UInt32,
        now: ContinuousClock.Instant
    ) -> [BonjourBrowseAction] {
        let key = InstanceKey(instance: name, interface: interface)
        if isAdded { add(key) } else { remove(key, .withdrawn) }
        return turn(now)
    }

    private mutating func add(_ key: InstanceKey) {
        let isNew = paths[key] == nil
        if isNew {
            guard let interface = interfaceName(key.interface),
                wantedInterfaces.isEmpty || wantedInterfaces.contains(interface)
            else { return }
            // Otherwise a forged goodbye packet and a flood of instances would suffice to hide one that answers.
            guard paths.count < limits.paths || isOurs(key.instance) || isProtected(key.instance) else {
                events.append(.losses(BackendLosses(entries: 1)))
                warn(.tooManyInstances, "More than \(limits.paths) services on the network: the others are left out.")
                return
            }
        }
        paths[key, default: ResolvedInstance()].count += 1
        guard paths[key]?.count == 1 else { return }
        let lookup = LookupKey.resolve(key.instance, interface: key.interface)
        queue.append(lookup)
        first.insert(lookup)
        report(key)
    }

    mutating func remove(_ key: InstanceKey, _ reason: LossReason) {
        guard var path = paths[key] else { return }
        path.count -= 1
        guard path.count <= 0 else {
            paths[key] = path
            return
        }
        paths[key] = nil
        stop(.resolve(key.instance, interface: key.interface))
        stop(.text(key.instance, interface: key.interface))
        leaveHost(of: key, path)
        if let reported = path.reported { events.append(.vanished(key.instance, reported.path, reason)) }
    }

    /// Reports an instance again that this process has begun or ceased to publish.
    mutating func ownershipChanged(of name: ServiceInstance, now: ContinuousClock.Instant) -> [BonjourBrowseAction] {
        for key in paths.keys where key.instance == name { report(key) }
        return turn(now)
    }

    /// Handles an instance whose name or type cannot be read.
    mutating func malformed(now: ContinuousClock.Instant) -> [BonjourBrowseAction] {
        warn(.invalidRecord, "A service instance on the network has a malformed name or type; it is left out.")
        return turn(now)
    }

    /// Takes back a question for which there is no reference. Call ``referenceFreed(now:)`` when there may be one.
    mutating func refused(_ lookup: LookupKey) {
        guard running.removeValue(forKey: lookup) != nil else { return }
        // Without a watch, the TXT record is looked up again together with the SRV record.
        if case .text = lookup { return }
        queue.append(lookup)
        isStarved = true
    }

    /// Resumes the queued questions, since a reference has been given back.
    mutating func referenceFreed(now: ContinuousClock.Instant) -> [BonjourBrowseAction] {
        isStarved = false
        return turn(now)
    }

    // MARK: Time

    /// Does what is due at ``deadline``.
    mutating func tick(now: ContinuousClock.Instant) -> [BonjourBrowseAction] {
        for (lookup, time) in running {
            if let time, time <= now { ended(lookup, now: now) }
        }
        if let time = returnDeadline, time <= now {
            returnDeadline = nil
            for (key, path) in paths where path.count == 0 { remove(key, .missingAfterRestart) }
        }
        if let time = refreshDue, time <= now { refresh(now) }
        return turn(now)
    }

    private mutating func refresh(_ now: ContinuousClock.Instant) {
        refreshDue = nil
        for (key, path) in paths {
            guard let time = path.refreshAt, path.count > 0 else { continue }
            if time <= now {
                paths[key]?.refreshAt = nil
                queue.append(.resolve(key.instance, interface: key.interface))
            } else {
                refreshDue = min(refreshDue ?? time, time)
            }
        }
    }

    /// The time at which ``tick(now:)`` must be called next.
    var deadline: ContinuousClock.Instant? {
        let lookup = running.values.compactMap { $0 }.min()
        return [returnDeadline, firstAnswers, lookup, refreshDue].compactMap { $0 }.min()
    }

    // MARK: Turns

    /// Ends the handling of an event: starts the questions for which there is room, and reports the changes.
    mutating func turn(_ now: ContinuousClock.Instant) -> [BonjourBrowseAction] {
        if let time = firstAnswers, time <= now { firstAnswers = nil }
        var lookups = running.values.count { $0 != nil }
        while lookups < limits.lookups, !isStarved, status == .running, let key = queue.popFirst() {
            // It may have been queued again while it was still running.
            guard running[key] == nil else { continue }
            running[key] = .some(now + timeout(of: key))
            actions.append(.start(key))
            lookups += 1
        }
        let isBusy = !first.isEmpty || (firstAnswers != nil && paths.isEmpty)
        let activity = isBusy ? BackendActivity.busy : .idle
        if activity != self.activity {
            self.activity = activity
            events.append(.activity(activity))
        }
        // Reports come first: the call that starts a question may have to wait for the daemon.
        if !events.isEmpty { actions.insert(.report(events), at: 0) }
        defer {
            events = []
            actions = []
        }
        return actions
    }

    private func timeout(of key: LookupKey) -> Duration {
        switch key {
        case .resolve, .text: limits.resolveTimeout
        case .addresses: limits.addressTimeout
        }
    }

    mutating func stop(_ key: LookupKey) {
        queue.remove(key)
        first.remove(key)
        if running.removeValue(forKey: key) != nil { actions.append(.stop(key)) }
    }

    mutating func warn(_ code: BackendWarning.Code, _ message: String) {
        guard warned.insert(code).inserted else { return }
        events.append(.warning(BackendWarning(code, message)))
    }
}

/// An action that a ``BonjourBrowseStateMachine`` asks for.
enum BonjourBrowseAction: Hashable, Sendable {
    /// Start a question, and give its events to ``BonjourBrowseStateMachine/receive(_:from:now:)``.
    case start(LookupKey)

    /// Stop a question.
    case stop(LookupKey)

    /// Report events to the browser.
    case report([BrowseEvent])
}
