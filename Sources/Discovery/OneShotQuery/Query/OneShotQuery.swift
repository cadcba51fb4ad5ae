package import DNSSD

/// The one-shot query (RFC 6762 §5.1, §6.7): questions from a port of our own on each interface and family, which every
/// responder answers at once and to that port alone. A value: no clock, no I/O.
///
/// It asks for the instances, repeats the question after a moment, and asks for the records that are still missing.
/// Avahi cuts such answers at 512 bytes, so that they name only a few instances of one host. Where such a cut is seen,
/// the query asks in a way that brings some more instances; there, and where nobody answers at once, it asks by
/// multicast too, which responders answer in full and to everybody, but 20–120 ms later.
///
/// Services that the backend beside it does not see are kept up to date: the query asks for them again every eight
/// seconds, and soon after a goodbye, and reports those that no longer answer. A sighting is reported when it is
/// complete: PTR, SRV, TXT and an address.
///
/// Its parts are in `OneShotQuery+….swift`; only they use its properties.
package struct OneShotQuery {
    let request: BrowseRequest
    let configuration: OneShotConfiguration

    /// The names that are asked for, types and subtypes.
    let browseNames: [DomainName]

    /// The service types by the domain name below which their instances are.
    let types: [DomainName: ServiceType]

    /// The generator of ids and random choices.
    var generator: any RandomNumberGenerator & Sendable

    /// The time of the current call.
    var now: ContinuousClock.Instant

    /// The paths on which the query asks, with what has been learned there.
    var paths: [ServicePath: OneShotPath] = [:]

    /// The events that are still to be reported.
    var events: [BrowseEvent] = []

    /// The question that is asked by multicast.
    var multicastQuestion = MulticastQuestion()

    /// The checks of the instances that the backend does not see.
    var checks = InstanceChecks()

    /// The state of listening for goodbyes, which bring some of the checks forward.
    var goodbyeListening = GoodbyeListening.off

    /// The condition of the backend beside which the query runs.
    var backend = AccompaniedBackend()

    /// The questions that are asked because the backend loses packets, and those that are asked because it does not
    /// work.
    var overloadQuestions = OverloadQuestions()
    var outageQuestions = OutageQuestions()

    var warned: Set<BackendWarning.Code> = []

    /// The instances that are known, on all paths.
    var instanceCounts = InstanceCounts()

    /// The instances that are known to be alive by other means, including those that are not seen here.
    var protected: Set<DomainName> = []

    /// The budget for questions about incomplete instances: a forger may invent any number of them.
    var budget: TokenBucket

    /// The losses that have not been reported yet.
    var losses = BackendLosses()

    /// The number of bytes of names and records that are stored.
    var byteCount = 0

    /// Creates a query. It asks nothing until it knows a link.
    ///
    /// - Parameters:
    ///   - request: The request to serve. Types and subtypes that do not form a valid domain name are left out.
    ///   - configuration: The settings of the query.
    ///   - generator: The generator of ids and random choices.
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
        let domain = request.domain.escaped
        self.browseNames = request.types.flatMap(\.browseTypes)
            .compactMap { try? DomainName(escaped: "\($0).\(domain)") }
        var types: [DomainName: ServiceType] = [:]
        for type in request.types {
            for base in type.base.browseTypes {
                if let name = try? DomainName(escaped: "\(base).\(domain)") { types[name] = type.base }
            }
        }
        self.types = types
    }

    // MARK: Links

    /// Sets the links that exist: asks on those that are new, and withdraws what was seen on those that are gone.
    package mutating func setLinks(_ links: [Link], now: ContinuousClock.Instant) -> [OneShotAction] {
        self.now = now
        var wanted: [ServicePath: Link] = [:]
        for link in links where request.interfaces.isEmpty || request.interfaces.contains(link.interface.name) {
            for family in link.families where wanted.count < configuration.maximumPaths {
                wanted[ServicePath(interface: link.interface, family: family)] = link
            }
        }
        for (path, state) in paths.sorted(by: { $0.key < $1.key }) where wanted[path] == nil {
            for (_, row) in state.rows.sorted(by: { $0.key < $1.key }) where row.isReported && !row.isConfirmed {
                events.append(.vanished(row.instance, path, .interfaceDown))
            }
            for name in state.rows.keys { instanceCounts.remove(name) }
            byteCount -= state.byteCount
            paths[path] = nil
        }
        var actions: [OneShotAction] = []
        for (path, link) in wanted.sorted(by: { $0.key < $1.key }) {
            if paths[path] == nil {
                let id = UInt16.random(in: 1...UInt16.max, using: &generator)
                let firstQuestion = FirstQuestion(opened: now, repeatedAfter: configuration.repetitionDelay)
                paths[path] = OneShotPath(link: link, id: id, firstQuestion: firstQuestion)
                actions += browse(on: path)
                if goodbyeListening == .on { actions.append(.listen(on: path)) }
            } else {
                paths[path]?.link = link
            }
        }
        if multicastQuestion.begin(askingAt: now + configuration.backendTime) {
            for path in paths.keys { paths[path]?.mayMulticast = true }
        }
        return actions
    }

    /// Returns the link of a path on which the query asks.
    func link(of path: ServicePath) -> Link? { paths[path]?.link }

    /// The paths on which the query asks.
    package var activePaths: Set<ServicePath> { Set(paths.keys) }

    // MARK: The backend

    /// Records that the backend sees the instance on this path as well: the query reports nothing more about it there.
    package mutating func confirm(_ instance: ServiceInstance, on path: ServicePath) {
        guard let name = try? DomainName(escaped: instance.fullName), let row = paths[path]?.rows[name] else { return }
        paths[path]?.move(name, from: row.location?.target, to: nil)
        let host = paths[path]?.forgetHost(row.location?.target) ?? 0
        tally(bytes: -(row.text?.count ?? 0) - host, on: path)
        paths[path]?.followUp.missing.remove(name)
        var confirmed = OneShotRow(instance: row.instance, source: row.source)
        confirmed.isPointedTo = true
        confirmed.isConfirmed = true
        paths[path]?.rows[name] = confirmed
    }

    /// Records that the backend has reported the instance as gone from this path. On other paths where only the query
    /// sees it, the query asks for it soon.
    package mutating func forget(
        _ instance: ServiceInstance,
        on path: ServicePath,
        now: ContinuousClock.Instant
    ) {
        self.now = now
        guard let name = try? DomainName(escaped: instance.fullName) else { return }
        // Its goodbye has most likely gone out on the other paths as well.
        for other in paths.keys where other != path { scheduleReconfirmation(of: name, on: other) }
        // A sighting that was reported in the meantime would never be withdrawn: nothing follows it any more.
        if let row = paths[path]?.rows[name], row.isReported, !row.isConfirmed {
            events.append(.vanished(row.instance, path, .withdrawn))
        }
        remove(name, on: path)
    }

    /// Records whether the backend works. While it does not, the query alone finds new instances.
    ///
    /// - Parameter isBusy: Whether the backend is about to report more, as far as it knows.
    package mutating func backendChanged(isRunning: Bool, isBusy: Bool, now: ContinuousClock.Instant) {
        self.now = now
        let (wasRunning, hadRun) = (backend.isRunning, backend.hasRun)
        backend.change(isRunning: isRunning, isBusy: isBusy, now: now)
        if isRunning {
            multicastQuestion.backendIsReady(hasCut: paths.values.contains { $0.cutAnswers.hasAny }, now: now)
            if !wasRunning { outageQuestions.backendStarted(hasRun: hadRun, now: now) }
        } else {
            expectCheck()
            if wasRunning { outageQuestions.backendStopped(hasRun: hadRun, services: mostServices, now: now) }
        }
    }

    // MARK: Time

    /// The time at which ``tick(now:)`` is to be called.
    package var deadline: ContinuousClock.Instant? {
        let deadlines = [
            multicastQuestion.deadline, checks.deadline, goodbyeListening.deadline, overloadQuestions.deadline,
            outageQuestions.deadline,
        ]
        return (deadlines + paths.values.map(\.deadline)).compactMap(\.self).min()
    }

    /// Does what is due.
    package mutating func tick(now: ContinuousClock.Instant) -> [OneShotAction] {
        self.now = now
        var actions: [OneShotAction] = []
        if multicastQuestion.takeQuestion(now: now) { actions += multicast() }
        if multicastQuestion.takeEndOfListening(now: now), goodbyeListening != .on { actions.append(.stopListening) }
        if goodbyeListening.takeBeginning(now: now) { actions += awaitGoodbyes() }
        for path in paths.keys.sorted() {
            if paths[path]?.cutAnswers.takeQuestion(now: now) == true { actions += askForRest(on: path) }
            if paths[path]?.firstQuestion.takeRepetition(now: now) == true { actions += repeatBrowse(on: path) }
            if paths[path]?.followUp.takeQuestion(now: now) == true { actions += askForMissing(on: path) }
        }
        if let subject = checks.subject, checks.takeNaming(now: now) { actions += askByName(subject) }
        if let subject = checks.takeJudgement(now: now) { judge(subject) }
        if checks.takeCheck(now: now) { actions += check() }
        if checks.takeReconfirmation(now: now) { actions += askForReconfirmation() }
        if overloadQuestions.takeQuestion(now: now) { actions += browseEverywhere() }
        if let spacing = outageQuestions.takeSpacing(services: mostServices, now: now) {
            actions += askInOutage(spacing: spacing)
        }
        return actions
    }

    /// Returns the events that have come up since the last call.
    package mutating func takeEvents() -> [BrowseEvent] {
        var taken = events
        events = []
        if !losses.isEmpty { taken.append(.losses(losses)) }
        losses = BackendLosses()
        return taken
    }

    // MARK: Rows

    /// Counts bytes that are stored for a path in addition, or that are no longer stored if the number is negative.
    mutating func tally(bytes: Int, on path: ServicePath) {
        paths[path]?.byteCount += bytes
        byteCount += bytes
    }

    mutating func remove(_ name: DomainName, on path: ServicePath) {
        guard let row = paths[path]?.rows.removeValue(forKey: name) else { return }
        paths[path]?.move(name, from: row.location?.target, to: nil)
        let host = paths[path]?.forgetHost(row.location?.target) ?? 0
        tally(bytes: -(name.wire.count + (row.text?.count ?? 0)) - host, on: path)
        paths[path]?.followUp.missing.remove(name)
        paths[path]?.ledger.remove(name)
        paths[path]?.giveBackRoom()
        instanceCounts.remove(name)
    }
}
