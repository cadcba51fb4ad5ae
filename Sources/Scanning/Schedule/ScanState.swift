internal import Constellation
internal import DNSSD
internal import DequeModule
internal import GatewayClient
internal import GatewayProtocol
internal import HeapModule

/// Everything that a ``Scanner`` knows of whom to ask when. A value: no clock, no I/O. It is told what happens and the time,
/// and says what to do; one heap holds everything that is due later, so that nothing is due when there is nothing to ask.
struct ScanState {
    /// The time for which the seniority of an endpoint that has stopped answering is kept.
    static let memory = Duration.seconds(600)

    /// The most endpoints of which it is remembered that they have answered, after nothing points at them any more.
    static let mostRemembered = 1_024

    /// The most endpoints that are asked on since they answer, though nothing points at them any more.
    static let mostUnwanted = 256

    /// The time for which an endpoint that nothing points at any more is asked as often as before.
    static let grace = Duration.seconds(10)

    /// The time for which a link-local address waits for the answer of another one: what answers first leads, and that
    /// is to be the address that others can use too.
    static let deferral = Duration.milliseconds(200)

    /// The time that a probe waits before the map is told why.
    static let explanation = Duration.seconds(1)

    let configuration: ScannerConfiguration
    var networks = HostNetworks()

    /// The time by which all probes have to be over.
    var deadline: ContinuousClock.Instant?

    // What points where.
    var endpoints = EndpointTable()
    var endpointsByService: [ServiceInstance: [Endpoint]] = [:]
    var claims: [ServiceInstance: GatewayFingerprint] = [:]
    var answersByFingerprint: [GatewayFingerprint: Set<Endpoint>] = [:]
    var manualEntries: [ManualGateway: Int] = [:]
    var lastEntry = 0
    var lastEndpoint = 0

    /// The endpoints with which somebody has a session that lives: nothing is asked of them.
    var sessions: Set<Endpoint> = []

    /// Those of them that were dropped meanwhile, and of which the map may know from the session alone.
    var droppedInSession: Set<Endpoint> = []

    /// The leaf that each of these endpoints has to show.
    var pins: [Endpoint: LeafFingerprint] = [:]

    /// The rows that are gateways.
    var gatewayRows: Set<GatewayID> = []

    /// The time at which each endpoint that is silent now answered last.
    var silent: [Endpoint: ContinuousClock.Instant] = [:]

    /// The services that are present.
    var present: Set<ServiceInstance> = []

    /// Those that the browser protects, since what they lead to answers.
    var protected: Set<ServiceInstance> = []

    /// Those that the browser was told to verify.
    var reconfirms = ReconfirmLimiter()

    /// The refusals that were told of endpoints that must not be connected to, by service.
    var refusals: [ServiceInstance: [Endpoint: TargetRefusal]] = [:]

    /// Those of them that have no other endpoint.
    var refused: Set<ServiceInstance> = []

    /// Those that lead to an address of this host and are not its own, and those of them for which its word is awaited.
    var foreign: [ServiceInstance: DiscoveredService] = [:]
    var undecided: Set<ServiceInstance> = []

    /// Link-local endpoints that are asked first when another address of what points at them has been, or soon.
    var deferred: Set<Endpoint> = []

    // Probes.
    var budget = ProbeBudget()
    var lastJob = 0
    var running: [Int: (job: ProbeJob, entry: ProbeBudget.Entry)] = [:]

    /// Probes that wait, of which it was not told why: those that have just begun to, and the others, the oldest first.
    var arrived: [WaitingProbe] = []
    var unexplained: Deque<WaitingProbe> = []

    /// Hosts that are asked whether what waits for their addresses is there.
    var hosts = HostTable()

    /// Endpoints of which only their own hosts have told.
    var knownFromHostOnly: Set<Endpoint> = []

    // Checks.
    var nextCheckTime: ContinuousClock.Instant?
    var runningChecks = 0
    var schedule = Heap<ScheduledEvent>()

    var actions: [ScanAction] = []

    init(_ configuration: ScannerConfiguration) {
        self.configuration = configuration
    }

    // MARK: Running

    /// Returns the actions that are to be done now. To be called whenever something has happened, and at ``next``.
    mutating func take(now: ContinuousClock.Instant) -> [ScanAction] {
        while let due = schedule.min, due.time <= now {
            schedule.removeMin()
            perform(due, now: now)
        }
        startProbes(now: now)
        explainWaiting(now: now)
        var taken: [ScanAction] = []
        swap(&taken, &actions)
        return taken
    }

    /// The time at which something is due next; `nil` when nothing is.
    var next: ContinuousClock.Instant? {
        [schedule.min?.time, explanationTime].compactMap { $0 }.min()
    }

    private mutating func perform(_ due: ScheduledEvent, now: ContinuousClock.Instant) {
        switch due.purpose {
        case .ask(let endpoint, let number):
            if endpoints[endpoint]?.schedule == number { look(at: endpoint, now: now) }
        case .answerOverdue(let endpoint, let question):
            if endpoints[endpoint]?.openQuestion?.number == question { overdue(endpoint, now: now) }
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
        case .ownWordOverdue(let instance):
            ownWordOverdue(instance, now: now)
        }
    }

    /// Sets the one time at which an endpoint is to be asked next.
    mutating func ask(
        _ endpoint: Endpoint,
        at time: ContinuousClock.Instant,
        waitingSince since: ContinuousClock.Instant? = nil
    ) {
        guard let known = endpoints[endpoint] else { return }
        endpoints[endpoint]?.schedule += 1
        endpoints[endpoint]?.scheduledAt = time
        endpoints[endpoint]?.waitsSince = since
        schedule.insert(
            ScheduledEvent(
                time: time,
                // The question after a first miss decides whether it is suspect.
                isUrgent: known.tracker.misses == 1,
                waitsSince: since,
                purpose: .ask(endpoint, number: known.schedule + 1)
            )
        )
    }

    /// Brings the next question to an endpoint forward, within the limits of ``TriggerLimiter``.
    ///
    /// - Parameter isProbe: Whether it is to be asked what it is.
    mutating func hurry(_ endpoint: Endpoint, isProbe: Bool, now: ContinuousClock.Instant) {
        guard let known = endpoints[endpoint] else { return }
        if isProbe { endpoints[endpoint]?.needsProbe = true }
        endpoints[endpoint]?.tracker.hurry()
        guard let time = endpoints[endpoint]?.triggers.trigger(now: now) else { return }
        ask(endpoint, at: min(time, known.scheduledAt ?? time))
    }

    mutating func emit(_ event: BotMapEvent) {
        actions.append(.emit(event))
    }

    // MARK: Progress

    /// The progress of the scan.
    var progress: ScanProgress {
        var progress = ScanProgress()
        progress.services = present.count
        // One whose addresses must not be connected to has been judged.
        progress.targets = endpoints.count + refused.count
        progress.asked = endpoints.tally.asked + refused.count
        progress.gateways = gatewayRows.count
        progress.putOff = budget.putOff
        progress.remaining = budget.waiting - progress.putOff + running.count
        return progress
    }

    /// Indicates whether nothing is being asked, or about to be, and nothing that came of it still has to be told.
    var isIdle: Bool {
        actions.isEmpty && deferred.isEmpty && undecided.isEmpty && !hosts.isAskingAnew && progress.remaining == 0
    }
}
