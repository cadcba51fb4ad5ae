internal import DNSSD

/// What is known of the instances that one browse looks for, and what is to be asked next. A value: no clock, no I/O.
///
/// An instance that a service browser shows is looked up with record browsers, on all its paths at once: SRV and TXT of
/// the instance, A and AAAA of its host (one pair for all instances on that host). They stay, so that a change of any
/// record is seen when the daemon sees it; no resolver is needed, which would hold one address only and tell of a
/// changed TXT record after seconds.
///
/// When the daemon goes away everything that is known stays, as unconfirmed. When it is back the same questions are
/// asked again, and what has not come back some time after the daemon has told what it knows is lost.
struct BrowseStateMachine {
    /// What is browsed for.
    let request: BrowseRequest

    private let configuration: AvahiConfiguration

    /// The moment of the call that is being served.
    private var now: ContinuousClock.Instant

    private var lastObject = 0
    private var roles: [ObjectID: Role] = [:]

    /// The instances that are seen, or were before the daemon went away.
    private var instances: [ServiceInstance: BrowsedInstance] = [:]

    private var hosts: [DomainName: BrowsedHost] = [:]

    /// How many instances are seen on each path.
    private var counts: [PathKey: Int] = [:]

    /// What must be looked at again by ``takeEvents(now:)``.
    private var dirty: Set<ServiceInstance> = []

    /// What is to be told, apart from sightings.
    private var events: [BrowseEvent] = []

    /// The interfaces as last looked up.
    private var interfaces: [Int32: NetworkInterface] = [:]

    /// The browsers that have not said yet that they have told what the daemon knows.
    private var catchingUp: Set<ObjectID> = []

    /// Whether there is anything unconfirmed.
    private var isInDoubt = false

    /// When the browsers were started.
    private var browsingSince: ContinuousClock.Instant?

    /// When an instance was last found that was not known.
    private var lastFound: ContinuousClock.Instant?

    /// When what is unconfirmed is lost.
    private var confirmBy: ContinuousClock.Instant?

    /// When which instance counts as not resolvable, the next one first.
    private var overdue = DeadlineQueue<ServiceInstance>()

    /// How many records the daemon's cache holds per interface and family.
    private var cacheLimit = 0

    private var warned: Set<BackendWarning.Code> = []

    /// What an object is there for.
    private enum Role: Hashable {
        case browser
        case resolver(ServiceInstance, PathKey)
        case location(ServiceInstance)
        case text(ServiceInstance)
        case addresses(DomainName, AddressFamily)
    }

    init(request: BrowseRequest, configuration: AvahiConfiguration, now: ContinuousClock.Instant) {
        self.request = request
        self.configuration = configuration
        self.now = now
    }

    // MARK: The daemon

    /// The daemon is there.
    ///
    /// - Parameter cacheLimit: How many records its cache holds per interface and family.
    mutating func connected(cacheLimit: Int, now: ContinuousClock.Instant) -> [BrowseAction] {
        self.now = now
        self.cacheLimit = cacheLimit
        interfaces = [:]
        browsingSince = now
        return request.types.flatMap(\.browseNames).map { type in
            let id = newObject(.browser)
            catchingUp.insert(id)
            return .browse(id, type: type)
        }
    }

    /// The daemon is gone, and with it every object.
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

    // MARK: What comes from the daemon

    /// An object has told something.
    mutating func receive(
        _ event: ObjectEvent,
        from object: ObjectID,
        interfaces table: InterfaceTable,
        now: ContinuousClock.Instant
    ) -> [BrowseAction] {
        self.now = now
        guard let role = roles[object] else { return [] }
        switch (role, event) {
        case (.browser, .instance(let kind, let name, let type, let domain, let path, let isOurs)):
            guard let instance = readInstance(name: name, type: type, domain: domain) else { return [] }
            guard learnInterface(path.interface, from: table) else { return [] }
            switch kind {
            case .new:
                return found(instance, on: path, by: object, isOurs: isOurs)
            case .remove:
                let reason: LossReason = table.isUp(path.interface) ? .withdrawn : .interfaceDown
                return removed(instance, from: path, by: object, reason)
            }
        case (.browser, .allForNow), (.browser, .failed):
            caughtUp(object)
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
            // The rest says nothing that is not known: entry groups belong to publications.
            return []
        }
    }

    /// The daemon refused to make an object.
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

    /// The time has come to which ``deadline`` pointed.
    mutating func tick(now: ContinuousClock.Instant) -> [BrowseAction] {
        self.now = now
        dirty.formUnion(overdue.take(until: now))
        guard let confirmBy, confirmBy <= now else { return [] }
        return dropUnconfirmed()
    }

    /// When ``tick(now:)`` wants to be called.
    var deadline: ContinuousClock.Instant? {
        guard let next = overdue.next else { return confirmBy }
        return confirmBy.map { min($0, next) } ?? next
    }

    /// Until when more instances are to be expected, although nothing is being asked.
    ///
    /// Avahi asks 0.1 s after the start, and again 1, 3, 7 and 15 s later. When many answer at once the daemon's socket
    /// overflows, and the next question brings what was lost: what found nothing new is the last one to wait for.
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

    /// So many instances that their answers may not fit into a socket's buffer.
    private static let manyInstances = 200

    /// Everything that is new since it was last asked for.
    mutating func takeEvents(now: ContinuousClock.Instant) -> [BrowseEvent] {
        self.now = now
        for instance in dirty { tell(instance) }
        dirty = []
        defer { events = [] }
        return events
    }

    // MARK: Instances

    private mutating func readInstance(name: String?, type: String?, domain: String?) -> ServiceInstance? {
        if let name, let type, let domain, let type = try? ServiceType(type),
            let instance = try? ServiceInstance(name: name, type: type.base, domain: domain)
        {
            return instance
        }
        warn(.invalidRecord, "A service instance on the network has a malformed name or type; it is left out.")
        return nil
    }

    /// Looks an interface up.
    ///
    /// - Returns: Whether it is one that was asked for.
    private mutating func learnInterface(_ index: Int32, from table: InterfaceTable) -> Bool {
        if interfaces[index] == nil, index > 0 {
            interfaces[index] = NetworkInterface(index: UInt32(index), name: table.name(index) ?? "if\(index)")
        }
        guard let interface = interfaces[index] else { return false }
        return request.interfaces.isEmpty || request.interfaces.contains(interface.name)
    }

    private mutating func found(
        _ name: ServiceInstance,
        on key: PathKey,
        by browser: ObjectID,
        isOurs: Bool
    ) -> [BrowseAction] {
        if instances[name] == nil {
            guard instances.count < configuration.maximumInstances else {
                warn(
                    .tooManyInstances,
                    "More than \(configuration.maximumInstances) services on the network: the others are left out."
                )
                return []
            }
            instances[name] = BrowsedInstance()
            lastFound = now
        }
        var path = instances[name]?.paths[key] ?? BrowsedPath()
        if !path.isSeen { count(key, by: 1) }
        path.isSeen = true
        path.isOurs = isOurs
        path.browsers.insert(browser)
        instances[name]?.paths[key] = path
        dirty.insert(name)

        var actions: [BrowseAction] = []
        if instances[name]?.location == nil {
            let resolver = newObject(.resolver(name, key))
            let location = newObject(.location(name))
            let text = newObject(.text(name))
            instances[name]?.resolver = resolver
            instances[name]?.location = location
            instances[name]?.text = text
            actions.append(.resolve(resolver, name, on: key))
            actions.append(.watch(location, name: name.fullName, type: .srv))
            actions.append(.watch(text, name: name.fullName, type: .txt))
        }
        for host in instances[name]?.hosts ?? [] { actions += look(at: host) }
        return actions
    }

    private mutating func removed(
        _ name: ServiceInstance,
        from key: PathKey,
        by browser: ObjectID,
        _ reason: LossReason
    ) -> [BrowseAction] {
        guard instances[name]?.paths[key]?.browsers.remove(browser) != nil,
            instances[name]?.paths[key]?.browsers.isEmpty == true
        else { return [] }
        return forget(name, on: key, reason)
    }

    private mutating func forget(_ name: ServiceInstance, on key: PathKey, _ reason: LossReason) -> [BrowseAction] {
        guard var instance = instances[name], var path = instance.paths[key], path.isSeen else { return [] }
        count(key, by: -1)
        let told = path.told
        // The records of the path stay as they are: their browsers go on for the other paths, and will not tell again
        // what they have told when this path comes back.
        path.isSeen = false
        path.browsers = []
        path.told = nil
        path.incompleteSince = nil
        instance.paths[key] = path
        instances[name] = instance
        let isSeen = instance.paths.values.contains(where: \.isSeen)
        // First what came: a service that only changes its path is not lost for a moment.
        if isSeen, dirty.contains(name) { tell(name) }
        if let told { events.append(.vanished(name, told.path, reason)) }
        guard !isSeen else { return [] }

        var actions = release(instance.resolver) + release(instance.location) + release(instance.text)
        instances[name]?.paths = [:]
        actions += releaseHosts(of: name)
        instances[name] = nil
        dirty.remove(name)
        return actions
    }

    private mutating func caughtUp(_ browser: ObjectID) {
        guard catchingUp.remove(browser) != nil, catchingUp.isEmpty, isInDoubt else { return }
        confirmBy = now + configuration.catchUpTime
    }

    private mutating func dropUnconfirmed() -> [BrowseAction] {
        confirmBy = nil
        isInDoubt = false
        var actions: [BrowseAction] = []
        for (name, instance) in instances {
            for (key, path) in instance.paths where path.isSeen && path.browsers.isEmpty {
                actions += forget(name, on: key, .missingAfterRestart)
            }
            if instances[name]?.dropUnconfirmed() == true { dirty.insert(name) }
            actions += releaseHosts(of: name)
        }
        for name in hosts.keys where hosts[name]?.dropUnconfirmed() == true {
            dirty.formUnion(hosts[name]?.instances ?? [])
        }
        return actions
    }

    // MARK: Records

    private mutating func resolved(
        _ name: ServiceInstance,
        on key: PathKey,
        host: String?,
        port: UInt16,
        txt: [[UInt8]]
    ) -> [BrowseAction] {
        var actions = releaseResolver(of: name)
        guard let host = host.flatMap({ try? DomainName(escaped: $0) }) else { return actions }
        let location = ServiceLocation(host: host, port: port)
        if instances[name]?.paths[key]?.locations.current == nil {
            instances[name]?.paths[key]?.locations.hint = location
            actions += use(host, for: name)
        }
        if instances[name]?.paths[key]?.texts.current == nil {
            // As in the record itself: each string after its length (RFC 6763 §6.1).
            let strings = txt.isEmpty ? [[]] : txt
            instances[name]?.paths[key]?.texts.hint = strings.flatMap { [UInt8(clamping: $0.count)] + $0.prefix(255) }
        }
        dirty.insert(name)
        return actions
    }

    private mutating func releaseResolver(of name: ServiceInstance) -> [BrowseAction] {
        let resolver = instances[name]?.resolver
        instances[name]?.resolver = nil
        return release(resolver)
    }

    private mutating func location(
        _ kind: ObjectEvent.Kind,
        _ data: [UInt8],
        of name: ServiceInstance,
        on key: PathKey
    ) -> [BrowseAction] {
        guard let location = ServiceLocation(data: data) else {
            warn(.invalidRecord, "An SRV record on the network is malformed; it is left out.")
            return []
        }
        guard instances[name]?.paths[key, default: BrowsedPath()].locations.apply(kind, location) == true else {
            return []
        }
        dirty.insert(name)
        guard kind == .new else { return releaseHosts(of: name) }
        return use(location.host, for: name) + releaseHosts(of: name)
    }

    private mutating func address(
        _ kind: ObjectEvent.Kind,
        _ data: [UInt8],
        of host: DomainName,
        family: AddressFamily,
        on key: PathKey,
        _ table: InterfaceTable
    ) {
        guard learnInterface(key.interface, from: table) else { return }
        let address: IPAddress? =
            switch family {
            case .ipv4: IPv4Address(bytes: data).map(IPAddress.v4)
            case .ipv6: IPv6Address(bytes: data, scope: interfaces[key.interface]).map(IPAddress.v6)
            }
        guard let address else {
            warn(.invalidRecord, "An address record on the network is malformed; it is left out.")
            return
        }
        guard hosts[host]?.addresses[key, default: RecordSet(limit: 32)].apply(kind, address) == true else { return }
        dirty.formUnion(hosts[host]?.instances ?? [])
    }

    // MARK: Hosts

    /// The daemon has told the addresses that it knew, or tells none.
    private mutating func noMoreAddresses(of host: DomainName, _ family: AddressFamily) {
        hosts[host]?.told.insert(family)
        dirty.formUnion(hosts[host]?.instances ?? [])
    }

    private mutating func use(_ host: DomainName, for name: ServiceInstance) -> [BrowseAction] {
        instances[name]?.hosts.insert(host)
        hosts[host, default: BrowsedHost()].instances.insert(name)
        return look(at: host)
    }

    private mutating func look(at host: DomainName) -> [BrowseAction] {
        AddressFamily.allCases.compactMap { family in
            guard hosts[host] != nil, hosts[host]?.browses[family] == nil else { return nil }
            let id = newObject(.addresses(host, family))
            hosts[host]?.browses[family] = id
            return .watch(id, name: host.escaped, type: family == .ipv4 ? .a : .aaaa)
        }
    }

    /// Lets go of the hosts that no SRV record of the instance names any longer.
    private mutating func releaseHosts(of name: ServiceInstance) -> [BrowseAction] {
        guard let instance = instances[name] else { return [] }
        let named = Set(
            instance.paths.values.flatMap {
                ($0.locations.records + [$0.locations.current].compactMap(\.self)).map(\.host)
            }
        )
        var actions: [BrowseAction] = []
        for host in instance.hosts.subtracting(named) {
            hosts[host]?.instances.remove(name)
            guard hosts[host]?.instances.isEmpty == true else { continue }
            for family in AddressFamily.allCases { actions += release(hosts[host]?.browses[family]) }
            hosts[host] = nil
        }
        instances[name]?.hosts = named
        return actions
    }

    // MARK: Telling

    private mutating func tell(_ name: ServiceInstance) {
        guard let paths = instances[name]?.paths else { return }
        for (key, path) in paths where path.isSeen {
            guard let interface = interfaces[key.interface] ?? path.told?.path.interface else { continue }
            let host = path.locations.current.flatMap { hosts[$0.host] }
            let addresses = host?.addresses[key]?.records.sorted() ?? []
            let missing = path.missingRecord(addresses: addresses)
            var path = path
            if missing == nil {
                path.incompleteSince = nil
            } else if path.incompleteSince == nil, !path.browsers.isEmpty {
                path.incompleteSince = now
                overdue.append(name, at: now + configuration.resolutionTimeout)
            }

            var sighting = Sighting(
                instance: name,
                path: ServicePath(interface: interface, family: key.family),
                source: .avahi,
                host: path.locations.current?.host.escaped,
                port: path.locations.current?.port,
                addresses: addresses,
                txt: path.texts.current.map { TXTRecord(decoding: $0) },
                isOurs: path.isOurs
            )
            if let missing {
                let isOverdue = path.incompleteSince.map { now >= $0 + configuration.resolutionTimeout } ?? false
                if isOverdue, missing == .txt {
                    // RFC 6763 §6.1: a client goes on as if the record that is not there were empty.
                    sighting.txt = TXTRecord()
                    sighting.resolution = .resolved
                } else if isOverdue {
                    let seconds = configuration.resolutionTimeout.components.seconds
                    sighting.resolution = .failed(reason: "no \(missing) was answered within \(seconds) s")
                }
            } else if host?.isWhole == true || path.told?.resolution == .resolved {
                // Before that there may be more addresses in the daemon's cache, to be told in the same breath.
                sighting.resolution = .resolved
            }

            // What was told stands until it is known to be otherwise: a record that is being replaced, or that has not
            // come back yet after a restart of the daemon, is no news.
            let isSetback = path.told?.resolution.isSettled == true && sighting.resolution == .resolving
            if sighting != path.told, !isSetback {
                events.append(.sighted(sighting))
                if let told = path.told, told.path != sighting.path {
                    // The interface was renamed while the daemon was away.
                    events.append(.vanished(name, told.path, .interfaceDown))
                }
                path.told = sighting
            }
            instances[name]?.paths[key] = path
        }
    }

    private mutating func count(_ path: PathKey, by difference: Int) {
        let count = counts[path, default: 0] + difference
        counts[path] = count == 0 ? nil : count
        // PTR, SRV and TXT of each instance, against 90 % of the limit.
        guard difference > 0, cacheLimit > 0, count * 30 >= cacheLimit * 9 else { return }
        warn(
            .cacheNearlyFull,
            """
            \(count) services on \(interfaces[path.interface]?.name ?? "one interface") nearly fill the cache of \
            avahi-daemon (cache-entries-max=\(cacheLimit) records per interface and family). At the limit it drops \
            what is new, and says nothing: services are then not shown or cannot be resolved. Set \
            cache-entries-max=\(max(16_384, cacheLimit * 4)) in avahi-daemon.conf and restart avahi-daemon.
            """
        )
    }

    private mutating func warn(_ code: BackendWarning.Code, _ message: String) {
        guard warned.insert(code).inserted else { return }
        events.append(.warning(BackendWarning(code, message)))
    }

    // MARK: Objects

    private mutating func newObject(_ role: Role) -> ObjectID {
        lastObject += 1
        let id = ObjectID(rawValue: lastObject)
        roles[id] = role
        return id
    }

    private mutating func release(_ object: ObjectID?) -> [BrowseAction] {
        guard let object, roles.removeValue(forKey: object) != nil else { return [] }
        return [.free(object)]
    }
}
