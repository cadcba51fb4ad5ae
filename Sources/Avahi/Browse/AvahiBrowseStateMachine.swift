internal import DNSSD

/// The state of one browse: the facts known about the instances that it looks for, and the questions to ask next. A
/// value: no clock, no I/O.
///
/// An instance that a service browser shows is looked up with record browsers, on all its paths at once: SRV and TXT of
/// the instance, A and AAAA of its host (one pair for all instances on that host). They stay, so that a change of any
/// record is seen as soon as the daemon sees it. A resolver only speeds up the first look-up: it holds one address
/// only, and reports a changed TXT record after seconds.
///
/// When the daemon goes away, everything known is kept as unconfirmed. When the daemon is back, the same questions are
/// asked again, and anything that has not come back some time after the daemon has reported what it knows is lost.
///
/// Its parts are in `AvahiBrowseStateMachine+….swift`; only they touch its properties.
struct AvahiBrowseStateMachine {
    /// The request that says what is browsed for.
    let request: BrowseRequest

    let configuration: AvahiConfiguration

    /// Indicates whether an instance is known to be alive by other means.
    let isProtected: @Sendable (ServiceInstance) -> Bool

    /// The moment of the call that is being served.
    var now: ContinuousClock.Instant

    var lastObject = 0
    var roles: [ObjectID: Role] = [:]

    /// The instances that are seen, or were before the daemon went away.
    var instances: [ServiceInstance: BrowsedInstance] = [:]

    var hosts: [DomainName: BrowsedHost] = [:]

    /// The number of instances that are seen on each path.
    var counts: [AvahiPath: Int] = [:]

    /// The instances that ``takeEvents(now:)`` must look at again.
    var dirty: Set<ServiceInstance> = []

    /// The events that are to be reported, apart from sightings.
    var events: [BrowseEvent] = []

    /// The interfaces as last looked up.
    var interfaces: [Int32: NetworkInterface] = [:]

    /// The browsers that have not yet reported everything that the daemon knows.
    var catchingUp: Set<ObjectID> = []

    /// Indicates whether anything is unconfirmed.
    var isInDoubt = false

    /// The time at which the browsers were started.
    var browsingSince: ContinuousClock.Instant?

    /// The time at which a new instance was last found.
    var lastFound: ContinuousClock.Instant?

    /// The time at which everything that is still unconfirmed is lost.
    var confirmBy: ContinuousClock.Instant?

    /// The times at which instances count as not resolvable, each with its instance, the next one first.
    var overdue = DeadlineQueue<ServiceInstance>()

    /// The number of records that the daemon's cache can hold per interface and family.
    var cacheLimit = 0

    var warned: Set<BackendWarning.Code> = []

    /// The purpose of an object.
    enum Role: Hashable {
        case browser
        case resolver(ServiceInstance, AvahiPath)
        case location(ServiceInstance)
        case text(ServiceInstance)
        case addresses(DomainName, AddressFamily)
    }

    init(
        request: BrowseRequest,
        configuration: AvahiConfiguration,
        isProtected: @escaping @Sendable (ServiceInstance) -> Bool,
        now: ContinuousClock.Instant
    ) {
        self.request = request
        self.configuration = configuration
        self.isProtected = isProtected
        self.now = now
    }

    // MARK: The daemon

    /// Starts to browse, since the daemon is there.
    ///
    /// - Parameter cacheLimit: The number of records that the daemon's cache can hold per interface and family.
    mutating func connected(cacheLimit: Int, now: ContinuousClock.Instant) -> [AvahiBrowseAction] {
        self.now = now
        self.cacheLimit = cacheLimit
        interfaces = [:]
        browsingSince = now
        return request.types.flatMap(\.browseTypes).map { type in
            let id = newObject(.browser)
            catchingUp.insert(id)
            return .browse(id, type: type)
        }
    }

    /// Records that the daemon is gone, and every object with it.
    mutating func disconnected(now: ContinuousClock.Instant) {
        self.now = now
        roles = [:]
        catchingUp = []
        confirmBy = nil
        overdue = DeadlineQueue()
        isInDoubt = !instances.isEmpty
        for name in instances.keys { instances[name]?.doubt() }
        for name in hosts.keys { hosts[name]?.doubt() }
    }

    // MARK: Events from the daemon

    /// Handles an event from an object.
    mutating func receive(
        _ event: ObjectEvent,
        from object: ObjectID,
        interfaces table: InterfaceTable,
        now: ContinuousClock.Instant
    ) -> [AvahiBrowseAction] {
        self.now = now
        guard let role = roles[object] else { return [] }
        switch (role, event) {
        case (.browser, .instance(let kind, let name, let type, let domain, let path, let isOurs, let isOwn)):
            guard let instance = readInstance(name: name, type: type, domain: domain) else { return [] }
            guard learnInterface(path.interface, from: table) else { return [] }
            switch kind {
            case .new:
                return found(
                    instance,
                    on: path,
                    by: object,
                    isOurs: isOurs,
                    isOwn: isOwn || table.isLoopback(path.interface)
                )
            case .remove:
                let reason: LossReason = table.isUp(path.interface) ? .withdrawn : .interfaceDown
                return removed(instance, from: path, by: object, reason)
            }
        case (.browser, .allForNow):
            caughtUp(object)
            return []
        case (.browser, .failed(let error)):
            caughtUp(object)
            warn(
                .browseFailed,
                "avahi-daemon gave up on a browse (\(error)): services may be missing. Look at its log, or restart it."
            )
            return []
        case (.resolver(let instance, let path), .resolved(let host, let port, let txt)):
            return resolved(instance, on: path, host: host, port: port, txt: txt)
        case (.resolver(let instance, _), .failed):
            return releaseResolver(of: instance)
        case (.location(let instance), .record(let kind, let data, let path)):
            return location(kind, data, of: instance, on: path)
        case (.text(let instance), .record(let kind, let data, let path)):
            let isNew = instances[instance]?.paths[path, default: BrowsedPath()].texts.apply(kind, data)
            if isNew == true { dirty.insert(instance) }
            return []
        case (.addresses(let host, let family), .record(let kind, let data, let path)):
            address(kind, data, of: host, family: family, on: path, table)
            return []
        case (.addresses(let host, let family), .cacheExhausted), (.addresses(let host, let family), .failed):
            noMoreAddresses(of: host, family)
            return []
        case (_, _):
            // The other events say nothing new; entry groups belong to publications.
            return []
        }
    }

    /// Handles the daemon's refusal to make an object.
    mutating func startFailed(_ object: ObjectID, error: AvahiError, now: ContinuousClock.Instant) {
        self.now = now
        guard let role = roles.removeValue(forKey: object) else { return }
        switch role {
        case .browser: caughtUp(object)
        case .addresses(let host, let family): noMoreAddresses(of: host, family)
        case .resolver, .location, .text: break
        }
        switch error {
        case .tooManyObjects, .tooManyClients, .noMemory: break
        default:
            warn(
                .invalidRecord,
                "avahi-daemon does not look up a name that is on the network (\(error)); it is left out."
            )
            return
        }
        warn(
            .objectsExhausted,
            """
            avahi-daemon gives no more objects (\(error)): some services are listed and cannot be resolved. \
            Raise objects-per-client-max and clients-max in avahi-daemon.conf, or browse for fewer types.
            """
        )
    }

    /// Does what is due at ``deadline``.
    mutating func tick(now: ContinuousClock.Instant) -> [AvahiBrowseAction] {
        self.now = now
        dirty.formUnion(overdue.take(until: now))
        guard let confirmBy, confirmBy <= now else { return [] }
        return dropUnconfirmed()
    }

    /// The time at which ``tick(now:)`` must be called next.
    var deadline: ContinuousClock.Instant? {
        guard let next = overdue.next else { return confirmBy }
        return confirmBy.map { min($0, next) } ?? next
    }

    /// The time until which more instances are to be expected, although no look-up is under way.
    ///
    /// Avahi sends its query 0.1 s after the start, and again 1, 3, 7 and 15 s later. When many hosts answer at once
    /// the daemon's socket overflows, and the next query brings the lost responses: the first query that finds nothing
    /// new is the last one to wait for.
    var expectation: ContinuousClock.Instant? {
        guard instances.count >= Self.manyInstances, let browsingSince, let lastFound else { return nil }
        var question = browsingSince + .milliseconds(100)
        var interval = Duration.seconds(1)
        while question <= lastFound {
            question += interval
            interval *= 2
        }
        return interval > .seconds(16) ? nil : question + .milliseconds(900)
    }

    /// The number of instances whose responses may no longer fit into a socket's buffer.
    static let manyInstances = 200

    /// Takes out the events that have come since the last call.
    mutating func takeEvents(now: ContinuousClock.Instant) -> [BrowseEvent] {
        self.now = now
        for instance in dirty { report(instance) }
        dirty = []
        defer { events = [] }
        return events
    }

    // MARK: Objects

    mutating func newObject(_ role: Role) -> ObjectID {
        lastObject += 1
        let id = ObjectID(rawValue: lastObject)
        roles[id] = role
        return id
    }

    mutating func release(_ object: ObjectID?) -> [AvahiBrowseAction] {
        guard let object, roles.removeValue(forKey: object) != nil else { return [] }
        return [.free(object)]
    }
}
