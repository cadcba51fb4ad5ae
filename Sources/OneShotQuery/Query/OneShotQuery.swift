internal import DNSMessages
package import DNSSD

/// The one-shot query (RFC 6762 §5.1, §6.7): questions from a port of our own on each interface and family, which every
/// responder answers at once and to that port. A value: no clock, no I/O.
///
/// It asks for the instances, once more after a moment, and for what came incomplete. Avahi cuts such answers at 512 bytes,
/// so that more than a few instances of one host are not named in them: where that is seen it asks in a way that brings some
/// more, and there, or where nobody answers at once, by multicast too, which is answered to all, 20–120 ms later and whole.
/// What the backend that it runs beside does not see either, it keeps true: every eight seconds, and soon after a goodbye, it
/// asks again, and tells what does not answer any more.
/// A sighting is told when it is complete: PTR, SRV, TXT and an address.
///
/// Its parts are in `OneShotQuery+….swift`; only they touch its properties.
package struct OneShotQuery {
    let request: BrowseRequest
    let configuration: OneShotConfiguration

    /// The names that are asked for, types and subtypes.
    let browseNames: [DomainName]

    /// The types by the name that their instances stand below.
    let types: [DomainName: ServiceType]

    /// Makes the ids, and draws lots.
    var generator: any RandomNumberGenerator & Sendable

    /// The moment of the call that is being served.
    var now: ContinuousClock.Instant

    /// The paths that are asked on, with what has been learned there.
    var paths: [ServicePath: OneShotPath] = [:]

    /// The events that are to be told.
    var events: [BrowseEvent] = []

    /// The time at which the question is asked by multicast where whole answers have not come.
    var multicastAt: ContinuousClock.Instant?

    /// Indicates whether the backend is ready for the answers to that question, or has had its time.
    var isBackendReady = false

    /// The time until which multicast packets are heard.
    var hearUntil: ContinuousClock.Instant?

    /// Indicates whether the first question has been asked.
    private var hasAsked = false

    /// The time at which instances that are not confirmed are asked for again.
    var checkAt: ContinuousClock.Instant?

    /// The time, in a check, at which instances that have not answered are asked for by name.
    var nameAt: ContinuousClock.Instant?

    /// The time, in a check, at which it is over.
    var judgeAt: ContinuousClock.Instant?

    /// The time at which goodbyes begin to be heard, and whether they are heard already.
    var goodbyesAt: ContinuousClock.Instant?
    var awaitsGoodbyes = false

    /// The time at which instances that somebody said are gone are asked for by name, and whether that is the check
    /// under way.
    var doubtAt: ContinuousClock.Instant?
    var isDoubting = false

    /// Indicates whether the backend works, and whether it ever has.
    var isBackendRunning = true
    var hasBackendRun = false

    /// The time since which the backend has been about to tell more; `nil` when it is not.
    var busySince: ContinuousClock.Instant?

    /// The number of checks in a row in which an instance has answered that the backend does not see.
    var unconfirmedChecks = 0

    var warned: Set<BackendWarning.Code> = []

    /// The instances that there are, on all paths.
    var census = ServiceCensus()

    /// The instances that are known to be alive by other means, those included that are not seen here.
    var kept: Set<DomainName> = []

    /// Pays for the questions for what is incomplete: a forger may invent any number of instances that are.
    var budget: TokenBucket

    /// The time at which everything is asked for again because the backend loses packets, when that last was, and how
    /// often lately.
    var overloadAt: ContinuousClock.Instant?
    var overloadAsked: ContinuousClock.Instant?
    var overloadQuestions = 0

    /// The time at which it is asked again since the backend does not work, when that last was, how often lately, and when
    /// it is over.
    var silenceAt: ContinuousClock.Instant?
    var silenceUntil: ContinuousClock.Instant?
    var silenceAsked: ContinuousClock.Instant?
    var silenceQuestions = 0

    /// The losses that have not been told yet.
    var losses = BackendLosses()

    /// The number of bytes that are kept.
    var byteCount = 0

    /// Makes a query. It asks nothing before it knows of a link.
    ///
    /// - Parameters:
    ///   - request: What to ask for. A domain or subtype that is no name is left out.
    ///   - configuration: How to ask.
    ///   - generator: Where the ids come from.
    ///   - now: The time.
    package init(
        request: BrowseRequest,
        configuration: OneShotConfiguration = OneShotConfiguration(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        now: ContinuousClock.Instant
    ) {
        self.request = request
        self.configuration = configuration
        self.generator = generator
        self.now = now
        self.budget = TokenBucket(
            capacity: configuration.packetsPerRound * configuration.rounds,
            perSecond: configuration.packetsPerSecond,
            now: now
        )
        let domain = request.domain
        self.browseNames = request.types.flatMap(\.browseNames)
            .compactMap { try? DomainName(escaped: "\($0).\(domain)") }
        var types: [DomainName: ServiceType] = [:]
        for type in request.types {
            for base in type.base.browseNames {
                if let name = try? DomainName(escaped: "\(base).\(domain)") { types[name] = type.base }
            }
        }
        self.types = types
    }

    // MARK: Links

    /// Says which links there are: asks on those that are new, and takes back what was seen on those that are gone.
    package mutating func setLinks(_ links: [Link], now: ContinuousClock.Instant) -> [OneShotAction] {
        self.now = now
        var wanted: [ServicePath: Link] = [:]
        for link in links where request.interfaces.isEmpty || request.interfaces.contains(link.interface.name) {
            for family in link.families where wanted.count < configuration.maximumPaths {
                wanted[ServicePath(interface: link.interface, family: family)] = link
            }
        }
        for (path, state) in paths where wanted[path] == nil {
            for row in state.rows.values where row.isTold && !row.isConfirmed {
                events.append(.vanished(row.instance, path, .interfaceDown))
            }
            for name in state.rows.keys { census.remove(name) }
            byteCount -= state.byteCount
            paths[path] = nil
        }
        var actions: [OneShotAction] = []
        for (path, link) in wanted.sorted(by: { $0.key < $1.key }) {
            if paths[path] == nil {
                let id = UInt16.random(in: 1...UInt16.max, using: &generator)
                paths[path] = OneShotPath(link: link, id: id, now: now)
                actions += browse(on: path)
                if awaitsGoodbyes { actions.append(.hear(on: path)) }
                let next = now + configuration.repetitionDelay
                paths[path]?.repeatAt = next
            } else {
                paths[path]?.link = link
            }
        }
        // Only when somebody has just begun to browse: whoever asks because of a link that came does so together with others,
        // and has to wait (RFC 6762 §5.2). The backend does.
        if !hasAsked {
            multicastAt = now + configuration.backendTime
            for path in paths.keys { paths[path]?.mayMulticast = true }
        }
        hasAsked = true
        return actions
    }

    /// The link of a path that it asks on.
    func link(of path: ServicePath) -> Link? { paths[path]?.link }

    /// The paths that it asks on.
    package var activePaths: Set<ServicePath> { Set(paths.keys) }

    // MARK: The backend

    /// The backend sees the instance on this path as well: nothing more is told of it.
    package mutating func confirm(_ instance: ServiceInstance, on path: ServicePath) {
        guard let name = try? DomainName(escaped: instance.fullName), let row = paths[path]?.rows[name] else { return }
        paths[path]?.move(name, from: row.location?.target, to: nil)
        tally(bytes: -(row.text?.count ?? 0), on: path)
        paths[path]?.missing.remove(name)
        var confirmed = OneShotRow(instance: row.instance, source: row.source)
        confirmed.isPointedTo = true
        confirmed.isConfirmed = true
        paths[path]?.rows[name] = confirmed
    }

    /// The backend has told that the instance is gone from this path. Where only the query sees it, it is asked for soon.
    package mutating func forget(
        _ instance: ServiceInstance,
        on path: ServicePath,
        now: ContinuousClock.Instant
    ) {
        self.now = now
        guard let name = try? DomainName(escaped: instance.fullName) else { return }
        // Its goodbye has gone out on the other paths as well, more likely than not.
        for other in paths.keys where other != path { doubt(name, on: other) }
        // What was told meanwhile would stand for ever: nobody follows it any more.
        if let row = paths[path]?.rows[name], row.isTold, !row.isConfirmed {
            events.append(.vanished(row.instance, path, .withdrawn))
        }
        remove(name, on: path)
    }

    /// The backend works, or does not: then what comes new is found here.
    ///
    /// - Parameter isBusy: Whether it is about to tell more, as far as it knows.
    package mutating func backendChanged(isRunning: Bool, isBusy: Bool, now: ContinuousClock.Instant) {
        self.now = now
        let wasRunning = isBackendRunning
        isBackendRunning = isRunning
        busySince = isBusy ? busySince ?? now : nil
        // It listens now, and takes the question for its own (§7.3).
        if isRunning {
            isBackendReady = true
            if multicastAt != nil, paths.values.contains(where: \.isCut) { multicastAt = now }
        }
        if !isRunning { expectCheck() }
        expectSilence(wasRunning: wasRunning)
    }

    // MARK: Time

    /// The time at which ``tick(now:)`` wants to be called.
    package var deadline: ContinuousClock.Instant? {
        var deadlines = [multicastAt, hearUntil, checkAt, nameAt, judgeAt, goodbyesAt, doubtAt, overloadAt, silenceAt]
        for path in paths.values { deadlines += [path.restAt, path.repeatAt, path.askAt] }
        return deadlines.compactMap(\.self).min()
    }

    /// Does what is due.
    package mutating func tick(now: ContinuousClock.Instant) -> [OneShotAction] {
        self.now = now
        var actions: [OneShotAction] = []
        if let time = multicastAt, time <= now {
            multicastAt = nil
            isBackendReady = true
            actions += multicast()
        }
        if let time = hearUntil, time <= now {
            hearUntil = nil
            if !awaitsGoodbyes { actions.append(.stopHearing) }
        }
        if let time = goodbyesAt, time <= now {
            goodbyesAt = nil
            actions += awaitGoodbyes()
        }
        for path in paths.keys.sorted() {
            if let time = paths[path]?.restAt, time <= now { actions += askForRest(on: path) }
            if let time = paths[path]?.repeatAt, time <= now { actions += repeatBrowse(on: path) }
            if let time = paths[path]?.askAt, time <= now { actions += askForMissing(on: path) }
        }
        if let time = nameAt, time <= now {
            nameAt = nil
            actions += askByName()
            // They have their time, also where this comes late, as after a sleep.
            if let time = judgeAt { judgeAt = max(time, now + Self.checkTime - Self.namingDelay) }
        }
        if let time = judgeAt, time <= now {
            judgeAt = nil
            judge()
        }
        if let time = checkAt, time <= now {
            checkAt = nil
            actions += check()
        }
        if let time = doubtAt, time <= now {
            doubtAt = nil
            actions += askDoubted()
        }
        if let time = overloadAt, time <= now {
            overloadAt = nil
            actions += askInOverload()
        }
        if let time = silenceAt, time <= now {
            silenceAt = nil
            actions += askInSilence()
        }
        return actions
    }

    /// Returns the events to be told that have come up since the last call.
    package mutating func takeEvents() -> [BrowseEvent] {
        var taken = events
        events = []
        if !losses.isEmpty { taken.append(.losses(losses)) }
        losses = BackendLosses()
        return taken
    }

    // MARK: Rows

    /// Notes that so many bytes more are kept of a path, or fewer.
    mutating func tally(bytes: Int, on path: ServicePath) {
        paths[path]?.byteCount += bytes
        byteCount += bytes
    }

    mutating func remove(_ name: DomainName, on path: ServicePath) {
        guard let row = paths[path]?.rows.removeValue(forKey: name) else { return }
        paths[path]?.move(name, from: row.location?.target, to: nil)
        tally(bytes: -(name.wire.count + (row.text?.count ?? 0)), on: path)
        paths[path]?.missing.remove(name)
        paths[path]?.ledger.remove(name)
        census.remove(name)
    }
}
