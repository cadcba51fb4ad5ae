internal import DNSSD

/// Folds what libdns_sd tells into sightings, and says what is to be asked next. A value: no clock, no I/O.
///
/// A reference is dear where Avahi's library is below, so that questions come in batches: an instance is resolved, the
/// reference is freed, its host is asked for once for all of its services. The TXT records of the first instances are
/// watched; the others are asked again from time to time.
struct BrowseStateMachine {
    let limits: BrowseLimits

    /// The interfaces that are looked at; empty means all.
    let wantedInterfaces: Set<String>

    /// The name of the interface with this index.
    let interfaceName: (UInt32) -> String?

    /// Indicates whether this process published the instance.
    let isOurs: (ServiceInstance) -> Bool

    /// Indicates whether the instance is known to be alive by other means.
    let isProtected: (ServiceInstance) -> Bool

    /// The instances that are known, by instance and interface.
    var paths: [PathKey: BrowsedPath] = [:]

    /// The hosts that instances point to.
    var hosts: [HostKey: BrowsedHost] = [:]

    /// The questions that are being asked, each with the time until which its answer is waited for; `nil` is for as
    /// long as the instance is there.
    var running: [LookupKey: ContinuousClock.Instant?] = [:]

    /// The questions that are to be asked next.
    var queue = LookupQueue()

    /// The questions that are asked, or to be asked, for the first time: more is about to be told.
    var first: Set<LookupKey> = []

    /// The time at which the first of the instances that are to be asked again is due.
    var refreshDue: ContinuousClock.Instant?

    /// There was no reference for a question; others have them.
    private var isStarved = false

    /// The time at which the instances that have not come back with the daemon are given up.
    private var graceEnd: ContinuousClock.Instant?

    /// The time until which the first answers are waited for.
    private var firstAnswers: ContinuousClock.Instant?

    /// The state of the library's daemon.
    private(set) var status = BackendStatus.starting

    private var activity = BackendActivity.idle
    private var warned: Set<BackendWarning.Code> = []

    /// The events that are to be reported at the end of the turn.
    var events: [BrowseEvent] = []

    /// The actions that are to be carried out at the end of the turn.
    var actions: [BrowseAction] = []

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

    /// The instances are being asked for.
    mutating func started(now: ContinuousClock.Instant) -> [BrowseAction] {
        status = .running
        events.append(.status(status))
        firstAnswers = now + limits.firstAnswer
        if !paths.isEmpty { graceEnd = now + limits.grace }
        return turn(now)
    }

    /// Every reference is gone, for this reason. What was told stands until the daemon is back.
    mutating func lost(_ error: BackendError, now: ContinuousClock.Instant) -> [BrowseAction] {
        status = .unavailable(error)
        events.append(.status(status))
        running = [:]
        queue = LookupQueue()
        first = []
        isStarved = false
        firstAnswers = nil
        graceEnd = nil
        refreshDue = nil
        for key in paths.keys {
            paths[key]?.count = 0
            paths[key]?.refreshAt = nil
        }
        for key in hosts.keys {
            hosts[key]?.seen = [:]
            hosts[key]?.ends = [:]
            hosts[key]?.asked = []
            hosts[key]?.askAt = nil
        }
        return turn(now)
    }

    /// An instance has come or gone on an interface.
    mutating func instanceChanged(
        _ name: ServiceInstance,
        isAdded: Bool,
        interface: UInt32,
        now: ContinuousClock.Instant
    ) -> [BrowseAction] {
        let key = PathKey(instance: name, interface: interface)
        if isAdded { add(key) } else { remove(key, .withdrawn) }
        return turn(now)
    }

    private mutating func add(_ key: PathKey) {
        let isNew = paths[key] == nil
        if isNew {
            guard let interface = interfaceName(key.interface),
                wantedInterfaces.isEmpty || wantedInterfaces.contains(interface)
            else { return }
            // Else a forged goodbye and a crowd would be all that it takes to hide one that answers.
            let isWorthMore = isOurs(key.instance) || isProtected(key.instance)
            guard paths.count < limits.paths || isWorthMore else {
                events.append(.losses(BackendLosses(entries: 1)))
                warn(.tooManyInstances, "More than \(limits.paths) services on the network: the others are left out.")
                return
            }
        }
        paths[key, default: BrowsedPath()].count += 1
        guard paths[key]?.count == 1 else { return }
        let lookup = LookupKey.resolve(key.instance, interface: key.interface)
        queue.append(lookup)
        first.insert(lookup)
        report(key)
    }

    mutating func remove(_ key: PathKey, _ reason: LossReason) {
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

    /// Notes that this process has begun or ceased to publish an instance.
    mutating func ownershipChanged(of name: ServiceInstance, now: ContinuousClock.Instant) -> [BrowseAction] {
        for key in paths.keys where key.instance == name { report(key) }
        return turn(now)
    }

    /// The library told of an instance that is none.
    mutating func malformed(now: ContinuousClock.Instant) -> [BrowseAction] {
        warn(.invalidRecord, "A service instance on the network has a malformed name or type; it is left out.")
        return turn(now)
    }

    /// There is no reference for a question. ``referenceFreed(now:)`` is to be called when there may be one.
    mutating func refused(_ lookup: LookupKey) {
        guard running.removeValue(forKey: lookup) != nil else { return }
        // Without a watch the record is asked for again with the others.
        if case .text = lookup { return }
        queue.append(lookup)
        isStarved = true
    }

    /// Somebody has given a reference back.
    mutating func referenceFreed(now: ContinuousClock.Instant) -> [BrowseAction] {
        isStarved = false
        return turn(now)
    }

    // MARK: Time

    /// The time has come to which ``deadline`` pointed.
    mutating func tick(now: ContinuousClock.Instant) -> [BrowseAction] {
        for (lookup, time) in running {
            if let time, time <= now { ended(lookup, now: now) }
        }
        if let time = graceEnd, time <= now {
            graceEnd = nil
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

    /// The time at which ``tick(now:)`` wants to be called.
    var deadline: ContinuousClock.Instant? {
        let lookup = running.values.compactMap { $0 }.min()
        return [graceEnd, firstAnswers, lookup, refreshDue].compactMap { $0 }.min()
    }

    // MARK: Turns

    /// Ends whatever happened: starts what may be asked now, and tells what is new.
    mutating func turn(_ now: ContinuousClock.Instant) -> [BrowseAction] {
        if let time = firstAnswers, time <= now { firstAnswers = nil }
        var lookups = running.values.count { $0 != nil }
        while lookups < limits.lookups, !isStarved, status == .running, let key = queue.popFirst() {
            // It may have been wanted again before it was answered.
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
        // Told first: what is asked next may have to wait for the daemon.
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

/// An action that a ``BrowseStateMachine`` asks for.
enum BrowseAction: Hashable, Sendable {
    /// Ask; what comes is given to ``BrowseStateMachine/receive(_:from:now:)``.
    case start(LookupKey)

    /// Ask no longer.
    case stop(LookupKey)

    /// Tell the browser.
    case report([BrowseEvent])
}
