internal import DNSMessages
package import DNSSD

/// The one-shot query (RFC 6762 §5.1, §6.7): questions from a port of our own on each interface and family, which every
/// responder answers at once and to that port. A value: no clock, no I/O.
///
/// It asks for the instances, once more after a moment, and for what came incomplete. Avahi cuts such answers at 512 bytes,
/// so that more than a few instances of one host are not named in them: where that is seen it asks in a way that brings some
/// more, and there, or where nobody answers at once, by multicast too, which is answered to all, 20–120 ms later and whole.
/// Services that the backend it runs beside does not see either, it keeps true: every eight seconds, and soon after a
/// goodbye, it asks again, and tells what does not answer any more.
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

    /// The question to all.
    var multicastQuestion = MulticastQuestion()

    /// The checks of what the backend does not see.
    var checks = InstanceChecks()

    /// The hearing of goodbyes, which brings some of them forward.
    var goodbyeHearing = GoodbyeHearing.off

    /// The backend beside which it is asked.
    var backend = BackendCondition()

    /// The questions for what the backend loses, and for what it does not tell while it does not work.
    var overloadQuestions = OverloadQuestions()
    var silenceQuestions = SilenceQuestions()

    var warned: Set<BackendWarning.Code> = []

    /// The instances that there are, on all paths.
    var instanceCounts = InstanceCounts()

    /// The instances that are known to be alive by other means, those included that are not seen here.
    var protected: Set<DomainName> = []

    /// Pays for the questions for what is incomplete: a forger may invent any number of instances that are.
    var budget: TokenBucket

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
            for row in state.rows.values where row.isReported && !row.isConfirmed {
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
                if goodbyeHearing == .on { actions.append(.hear(on: path)) }
            } else {
                paths[path]?.link = link
            }
        }
        if multicastQuestion.begin(askingAt: now + configuration.backendTime) {
            for path in paths.keys { paths[path]?.mayMulticast = true }
        }
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
        let host = paths[path]?.forgetHost(row.location?.target) ?? 0
        tally(bytes: -(row.text?.count ?? 0) - host, on: path)
        paths[path]?.followUp.missing.remove(name)
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
        if let row = paths[path]?.rows[name], row.isReported, !row.isConfirmed {
            events.append(.vanished(row.instance, path, .withdrawn))
        }
        remove(name, on: path)
    }

    /// The backend works, or does not: then what comes new is found here.
    ///
    /// - Parameter isBusy: Whether it is about to tell more, as far as it knows.
    package mutating func backendChanged(isRunning: Bool, isBusy: Bool, now: ContinuousClock.Instant) {
        self.now = now
        let (wasRunning, hadRun) = (backend.isRunning, backend.hasRun)
        backend.change(isRunning: isRunning, isBusy: isBusy, now: now)
        if isRunning {
            multicastQuestion.backendIsReady(hasCut: paths.values.contains { $0.cutAnswers.hasAny }, now: now)
            if !wasRunning { silenceQuestions.backendStarted(hasRun: hadRun, now: now) }
        } else {
            expectCheck()
            if wasRunning { silenceQuestions.backendStopped(hasRun: hadRun, services: mostServices, now: now) }
        }
    }

    // MARK: Time

    /// The time at which ``tick(now:)`` wants to be called.
    package var deadline: ContinuousClock.Instant? {
        let deadlines = [
            multicastQuestion.deadline, checks.deadline, goodbyeHearing.deadline, overloadQuestions.deadline,
            silenceQuestions.deadline,
        ]
        return (deadlines + paths.values.map(\.deadline)).compactMap(\.self).min()
    }

    /// Does what is due.
    package mutating func tick(now: ContinuousClock.Instant) -> [OneShotAction] {
        self.now = now
        var actions: [OneShotAction] = []
        if multicastQuestion.takeQuestion(now: now) { actions += multicast() }
        if multicastQuestion.takeEndOfHearing(now: now), goodbyeHearing != .on { actions.append(.stopHearing) }
        if goodbyeHearing.takeBeginning(now: now) { actions += awaitGoodbyes() }
        for path in paths.keys.sorted() {
            if paths[path]?.cutAnswers.takeQuestion(now: now) == true { actions += askForRest(on: path) }
            if paths[path]?.firstQuestion.takeRepetition(now: now) == true { actions += repeatBrowse(on: path) }
            if paths[path]?.followUp.takeQuestion(now: now) == true { actions += askForMissing(on: path) }
        }
        if let subject = checks.subject, checks.takeNaming(now: now) { actions += askByName(subject) }
        if let subject = checks.takeJudgement(now: now) { judge(subject) }
        if checks.takeCheck(now: now) { actions += check() }
        if checks.takeDoubts(now: now) { actions += askDoubted() }
        if overloadQuestions.takeQuestion(now: now) { actions += browseEverywhere() }
        if let spacing = silenceQuestions.takeSpacing(services: mostServices, now: now) {
            actions += askInSilence(spacing: spacing)
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
        let host = paths[path]?.forgetHost(row.location?.target) ?? 0
        tally(bytes: -(name.wire.count + (row.text?.count ?? 0)) - host, on: path)
        paths[path]?.followUp.missing.remove(name)
        paths[path]?.ledger.remove(name)
        instanceCounts.remove(name)
    }
}
