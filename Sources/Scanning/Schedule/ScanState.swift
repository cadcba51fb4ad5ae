internal import DNSSD
internal import GatewayProtocol
internal import HeapModule

/// The state of a ``GatewayScanner``: which endpoints to ask, and when. A value, without clock or I/O. It takes events and the
/// time, and returns actions; one heap holds everything that is due later, so that nothing is due when there is nothing
/// to ask.
struct ScanState {
    /// The time for which the seniority of an endpoint that has stopped answering is kept.
    static let memory = Duration.seconds(600)

    /// The maximum number of silent endpoints of which it is remembered that they have answered.
    static let mostRemembered = 1_024

    /// The maximum number of endpoints that are still asked, since they answer, although nothing points at them any
    /// more.
    static let mostUnwanted = 256

    /// The time for which an endpoint that nothing points at any more is asked as often as before.
    static let unwantedHold = Duration.seconds(10)

    /// The time for which a link-local address of a service waits for the answer of another one: the first endpoint to answer
    /// leads, which should be one that others can use too.
    static let deferral = Duration.milliseconds(200)

    /// The time for which an address of a service waits for the answer of a place that the user has given, or that a pairing
    /// remembers: one that answers elsewhere first seems to have moved. A busy host may take a while, and to one that is off
    /// a connection takes longer than this.
    static let placeDeferral = Duration.seconds(1)

    /// The time for which a probe waits before the reason is reported to the map.
    static let explanation = Duration.seconds(1)

    let configuration: ScannerConfiguration

    /// Indicates whether somebody watches.
    var isWatched: Bool

    var networks = HostNetworks()

    /// The time by which all probes must have ended.
    var deadline: ContinuousClock.Instant?

    // The candidates, and the endpoints to which they lead.
    var endpoints = EndpointTable()
    var services = ScannedServices()
    var manual = ManualEntries()

    var sessions = SessionEndpoints()

    /// The leaf that each of these endpoints has to show.
    var pins: [Endpoint: LeafFingerprint] = [:]

    /// The number of gateways in the map.
    var gatewayCount = 0

    /// The time at which each endpoint that is silent now answered last.
    var silent: [Endpoint: ContinuousClock.Instant] = [:]

    /// The endpoints whose first probe waits until another address of the same candidate was asked, or ``deferral`` or
    /// ``placeDeferral`` has passed.
    var deferred: Set<Endpoint> = []

    // Probes.
    var budget = ProbeBudget()
    var jobs = ProbeJobs()

    /// The gateways that are asked whether they can do their work.
    var readiness = ReadinessTable()

    /// The hosts that are queried for the services that wait for their addresses.
    var hosts = HostTable()

    /// The endpoints that are known only from answers of their own hosts.
    var knownFromHostOnly: Set<Endpoint> = []

    var checks = CheckPace()
    var schedule = Heap<ScheduledEvent>()

    var actions: [ScanAction] = []

    init(_ configuration: ScannerConfiguration) {
        self.configuration = configuration
        self.isWatched = configuration.isWatched
    }

    // MARK: Running

    /// Returns the actions to perform now. It must be called whenever something has happened, and at ``next``.
    mutating func take(now: ContinuousClock.Instant) -> [ScanAction] {
        while let due = schedule.min, due.time <= now {
            schedule.removeMin()
            perform(due, now: now)
        }
        enqueueReadiness(now: now)
        startProbes(now: now)
        explainWaiting(now: now)
        var taken: [ScanAction] = []
        swap(&taken, &actions)
        return taken
    }

    /// The time at which something is due next; `nil` when nothing is.
    var next: ContinuousClock.Instant? {
        [schedule.min?.time, explanationTime, readiness.next].compactMap { $0 }.min()
    }

    private mutating func perform(_ due: ScheduledEvent, now: ContinuousClock.Instant) {
        switch due.purpose {
        case .ask(let endpoint, let number):
            if endpoints[endpoint]?.turn.number == number { look(at: endpoint, now: now) }
        case .answerOverdue(let endpoint, let question):
            if endpoints[endpoint]?.question.open?.number == question { overdue(endpoint, now: now) }
        case .floodOver(let endpoint):
            endFlood(of: endpoint, now: now)
        case .retire(let endpoint, let since):
            guard silent[endpoint] == since else { return }
            silent[endpoint] = nil
            emit(.retired(endpoint))
        case .askHost(let address):
            look(atHost: address, now: now)
        case .budgetFreed(let group):
            budget.unblock(group)
        case .ownAnnouncementOverdue(let instance):
            ownAnnouncementOverdue(instance, now: now)
        }
    }

    /// Sets the one time at which an endpoint is to be asked next.
    mutating func ask(
        _ endpoint: Endpoint,
        at time: ContinuousClock.Instant,
        waitingSince since: ContinuousClock.Instant? = nil
    ) {
        guard let known = endpoints[endpoint],
            let number = endpoints[endpoint]?.turn.set(time, waitingSince: since)
        else { return }
        schedule.insert(
            ScheduledEvent(
                time: time,
                // The question after a first miss decides whether it is suspect.
                isUrgent: known.tracker.misses == 1,
                waitsSince: since,
                purpose: .ask(endpoint, number: number)
            )
        )
    }

    /// Brings the next question to an endpoint forward, within the limits of ``TriggerLimiter``.
    ///
    /// - Parameter isProbe: Indicates whether the question is to be a gateway probe.
    mutating func expedite(_ endpoint: Endpoint, isProbe: Bool, now: ContinuousClock.Instant) {
        guard let known = endpoints[endpoint] else { return }
        if isProbe { endpoints[endpoint]?.question.demands.insert(.probe) }
        endpoints[endpoint]?.tracker.restartBackOff()
        guard let time = endpoints[endpoint]?.turn.triggers.trigger(now: now) else { return }
        ask(endpoint, at: min(time, known.turn.time ?? time))
    }

    mutating func emit(_ event: BotMapEvent) {
        actions.append(.emit(event))
    }

    // MARK: Progress

    /// The progress of the scan.
    var progress: ScanProgress {
        var progress = ScanProgress()
        progress.services = services.present.count
        // A service whose addresses must not be connected to counts as asked.
        progress.targets = endpoints.count + services.refused.count
        progress.asked = endpoints.tally.asked + services.refused.count
        progress.gateways = gatewayCount
        progress.putOff = budget.putOff
        progress.remaining = budget.waiting - progress.putOff + jobs.running.count + readiness.runningCount
        return progress
    }

    /// Indicates whether nothing is being asked, or about to be, and no result still has to be reported.
    var isIdle: Bool {
        actions.isEmpty && deferred.isEmpty && services.undecided.isEmpty && !hosts.isAskingAnew
            && progress.remaining == 0
    }
}
