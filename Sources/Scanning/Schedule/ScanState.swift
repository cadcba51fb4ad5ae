internal import BotMap
internal import DNSSD
internal import GatewayProtocol
internal import Gateways
internal import HeapModule

/// Everything that a ``Scanner`` knows of whom to ask when. A value: no clock, no I/O. It is told what happens and the time,
/// and says what to do; one heap of appointments holds everything that is due later, so that nothing is due when there is
/// nothing to ask.
struct ScanState {
    /// How many connections a minute to one address the first questions leave for the checks of what has answered.
    static let keptForChecks = 15

    /// How soon a check is tried again for which there was no socket.
    static let retry = Duration.milliseconds(100)

    /// The most endpoints of a target that race for one answer.
    static let racers = 4

    let configuration: ScannerConfiguration
    var networks = HostNetworks()

    /// When all probes have to be over.
    var deadline: ContinuousClock.Instant?

    var targets = TargetTable()
    var lastTarget = 0
    private(set) var targetsByEndpoints: [[Endpoint]: Int] = [:]
    var targetsByService: [ServiceInstance: Int] = [:]

    /// The services that are present.
    var present: Set<ServiceInstance> = []

    /// Those that the browser keeps, since what they lead to answers.
    var kept: Set<ServiceInstance> = []

    /// Those that the browser was told to verify.
    var doubts = Doubts()

    /// What was told of endpoints that must not be connected to, by service.
    var refusals: [ServiceInstance: [Endpoint: TargetRefusal]] = [:]

    /// Those of them that have no other endpoint.
    var refused: Set<ServiceInstance> = []

    // Probes.
    var budget = ProbeBudget()
    var lastJob = 0
    var waiting = ProbeQueue()
    var running: [Int: ProbeJob] = [:]
    /// Probes of which too many run at the same address.
    var blocked: [IPAddress: [ProbeJob]] = [:]

    // Checks.
    var nextCheckTime: ContinuousClock.Instant?
    var holds: Set<Endpoint> = []
    var appointments = Heap<Appointment>()

    var actions: [ScanAction] = []

    init(_ configuration: ScannerConfiguration) {
        self.configuration = configuration
    }

    // MARK: Running

    /// What is to be done now. To be called whenever something has happened, and at ``next``.
    mutating func take(now: ContinuousClock.Instant) -> [ScanAction] {
        while let appointment = appointments.min, appointment.time <= now {
            appointments.removeMin()
            keep(appointment, now: now)
        }
        startProbes(now: now)
        var taken: [ScanAction] = []
        swap(&taken, &actions)
        return taken
    }

    /// When something is due next; `nil` when nothing is.
    var next: ContinuousClock.Instant? { appointments.min?.time }

    private mutating func keep(_ appointment: Appointment, now: ContinuousClock.Instant) {
        switch appointment.purpose {
        case .look(let id, let number):
            if targets[id]?.appointment == number { look(at: id, now: now) }
        case .checkOver(let id, let check):
            if targets[id]?.check == check { concludeCheck(of: id, now: now) }
        case .retry(let job):
            targets[job.target]?.isPutOff = false
            requeue(job)
        }
    }

    /// Makes the one appointment that a target has.
    mutating func meet(_ id: Int, at time: ContinuousClock.Instant, waitingSince since: ContinuousClock.Instant? = nil)
    {
        guard let target = targets[id] else { return }
        targets[id]?.appointment += 1
        targets[id]?.waitsSince = since
        appointments.insert(
            Appointment(
                time: time,
                // The question after a first miss decides whether it is suspect.
                isUrgent: target.tracker.misses == 1,
                waitsSince: since,
                purpose: .look(target: id, number: target.appointment + 1)
            )
        )
    }

    mutating func tell(_ event: BotMapEvent) {
        actions.append(.tell(event))
    }

    // MARK: Targets

    /// The target with these endpoints, a new one if there is none.
    mutating func target(at endpoints: [Endpoint], rules: TargetRules) -> Int {
        if let id = targetsByEndpoints[endpoints] { return id }
        lastTarget += 1
        targets[lastTarget] = ScanTarget(endpoints: endpoints, rules: rules)
        targetsByEndpoints[endpoints] = lastTarget
        return lastTarget
    }

    /// The target that has just these endpoints.
    func target(at endpoints: [Endpoint]) -> Int? { targetsByEndpoints[endpoints] }

    /// Gives a target other endpoints, that no other target has.
    mutating func move(_ id: Int, to endpoints: [Endpoint]) {
        guard let former = targets[id]?.endpoints else { return }
        targetsByEndpoints[former] = nil
        targetsByEndpoints[endpoints] = id
        targets[id]?.endpoints = endpoints
        for endpoint in Set(former).subtracting(endpoints) { leave(endpoint, of: id) }
    }

    /// An endpoint is no longer one of a target's.
    private mutating func leave(_ endpoint: Endpoint, of id: Int) {
        targets[id]?.answers[endpoint] = nil
        targets[id]?.outstanding.remove(endpoint)
        if let target = targets[id], target.primary == endpoint { targets[id]?.primary = target.answers.keys.min() }
        release(endpoint)
    }

    mutating func release(_ endpoint: Endpoint) {
        guard holds.remove(endpoint) != nil else { return }
        actions.append(.release(endpoint))
    }

    /// Forgets a target that nothing leads to and that does not answer.
    mutating func drop(_ id: Int) {
        guard let target = targets.removeValue(forKey: id) else { return }
        targetsByEndpoints[target.endpoints] = nil
        for endpoint in target.answers.keys { release(endpoint) }
    }

    // MARK: Progress

    /// How far it has come.
    var progress: ScanProgress {
        var progress = ScanProgress()
        progress.services = present.count
        // One whose addresses must not be connected to has been judged.
        progress.targets = targets.count + refused.count
        progress.asked = targets.tally.asked + refused.count
        progress.gateways = targets.tally.gateways
        progress.putOff = targets.tally.putOff
        progress.remaining = waiting.count + running.count + blocked.values.reduce(0) { $0 + $1.count }
        return progress
    }

    /// Whether nothing is being asked, or about to be, and nothing that came of it still has to be told.
    var isIdle: Bool { actions.isEmpty && progress.remaining == 0 }

    /// How many targets are asked again and again.
    var watched: Int { targets.tally.watched }
}
