import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol

@testable import Scanning

/// Drives a ``ScanState`` with a simulated clock and network, and passes what it emits to a map, as a ``GatewayScanner`` does.
///
/// Probes and checks that are due are in ``probes`` and ``checks`` until the test ends them by hand, or ``run(for:)``
/// has the network answer.
struct ScanDrive {
    /// One change of the map, and its time.
    struct MapChange {
        let time: Duration
        let change: BotMapChange
    }

    /// One question to an endpoint: a probe or a check.
    struct Question {
        enum Job {
            case probe(ProbeJob)
            case check(CheckJob)
        }

        let time: Duration
        let job: Job

        /// Indicates whether it was asked over a connection that was open already.
        let isOverKept: Bool

        var endpoint: Endpoint {
            switch job {
            case .probe(let job): job.endpoint
            case .check(let job): job.endpoint
            }
        }

        var isProbe: Bool { if case .probe = job { true } else { false } }
    }

    var state: ScanState
    private(set) var map = BotMap()
    var network = SampleNetwork()

    let start = ContinuousClock.now
    private(set) var now: ContinuousClock.Instant

    /// The time since the start.
    var elapsed: Duration { now - start }

    /// The running probes.
    private(set) var probes: [ProbeJob] = []

    /// The checks that wait for an answer.
    private(set) var checks: [CheckJob] = []

    /// The events that the map has received.
    private(set) var emitted: [BotMapEvent] = []

    /// The changes that the map has reported.
    private(set) var changes: [MapChange] = []

    /// The questions that have been passed to the network.
    private(set) var questions: [Question] = []

    /// The questions whether a gateway can do its work, and the times.
    private(set) var readinessAsked: [(time: Duration, job: ReadinessJob)] = []

    /// The hosts that were queried directly for their services, and the times.
    private(set) var hostsAsked: [(time: Duration, address: IPAddress, types: [ServiceType])] = []

    /// The endpoints whose held connections were closed.
    private(set) var released: [Endpoint] = []

    /// The services that the browser was asked to reconfirm, in order.
    private(set) var reconfirmed: [ServiceInstance] = []

    /// The services that the browser protects.
    private(set) var protected: Set<ServiceInstance> = []

    /// Indicates whether questions, events and changes are recorded; long tests turn it off. The map is up to date in
    /// any case.
    var keepsRecords = true

    init(_ configuration: ScannerConfiguration = ScannerConfiguration()) {
        state = ScanState(configuration)
        now = start
    }

    /// Removes and returns the events that the map has received, and the changes that it has reported.
    mutating func takeMapRecord() -> (emitted: [BotMapEvent], changes: [MapChange]) {
        defer { (emitted, changes) = ([], []) }
        return (emitted, changes)
    }

    // MARK: By hand

    /// Performs the actions that are due, and passes events to the map and its demands back, as a ``GatewayScanner`` does.
    mutating func step() {
        repeat {
            for action in state.take(now: now) {
                switch action {
                case .probe(let job): probes.append(job)
                case .check(let job): checks.append(job)
                case .askReadiness(let job):
                    state.ended(job, network.readiness[job.endpoint] ?? .unsaid, connections: 1, now: now)
                    if keepsRecords { readinessAsked.append((elapsed, job)) }
                case .releaseConnection(let endpoint):
                    network.release(endpoint)
                    if keepsRecords { released.append(endpoint) }
                case .askHost(let address, let types):
                    network.askHost(address, types, now: now)
                    hostsAsked.append((elapsed, address, types))
                case .reconfirm(let instance): reconfirmed.append(instance)
                case .protect(let instance, true): protected.insert(instance)
                case .protect(let instance, false): protected.remove(instance)
                case .emit(let event):
                    if keepsRecords { emitted.append(event) }
                    let mapChanges = map.apply(event)
                    if keepsRecords { changes += mapChanges.map { MapChange(time: elapsed, change: $0) } }
                    state.gatewayCount = map.gatewayCount
                    state.serve(map.demands, now: now)
                case .reportSilence(let endpoint):
                    state.serve(map.demands(afterSilenceOf: endpoint), now: now)
                }
            }
        } while !state.actions.isEmpty || isDue
    }

    /// Indicates whether something is due now, such as a question that the map has demanded.
    private var isDue: Bool { state.next.map { $0 <= now } ?? false }

    mutating func apply(_ change: ServiceChange) {
        state.apply(change, now: now)
        step()
    }

    /// Has the browser find a service; a listener is put behind the endpoints to which the service leads.
    mutating func find(_ service: DiscoveredService, _ listener: Listener? = nil) {
        if let listener { listen(listener, at: Candidates.endpoints(of: service)) }
        apply(.found(service))
    }

    /// Takes in what the owner of a session reports: the map gets it from the owner, and the scanner from the map.
    mutating func noteSession(
        _ liveness: Liveness?,
        at endpoint: Endpoint,
        _ identity: GatewayIdentity? = nil,
        roundTrip: Duration? = nil
    ) {
        state.emit(.sessionLiveness(endpoint, liveness, roundTrip: roundTrip))
        state.noteSession(liveness, at: endpoint, identity, now: now)
        step()
    }

    mutating func add(_ gateway: ManualGateway) {
        state.add(gateway, now: now)
        step()
    }

    mutating func end(_ job: ProbeJob, _ report: GatewayProbeReport) {
        probes.removeAll { $0.id == job.id }
        state.ended(job.id, report: report, now: now)
        step()
    }

    mutating func answer(_ check: CheckJob) {
        end(check, .answered(.milliseconds(1), nil))
    }

    /// Ends a check over a connection of its own with a result, or has a check over a held connection answered.
    mutating func end(_ check: CheckJob, _ result: LivenessCheckResult) {
        checks.removeAll { $0 == check }
        if !check.isHeld {
            state.ended(check, result, now: now)
        } else if case .answered(let roundTrip, let signature) = result {
            state.answered(check, roundTrip, signature, now: now)
        }
        step()
    }

    /// Moves the clock to the next time at which something is due.
    ///
    /// - Returns: `false` if nothing is due.
    mutating func advance() -> Bool {
        guard let next = state.next else { return false }
        now = max(now, next)
        step()
        return true
    }

    // MARK: With a network

    /// Returns the check that opened the connection that is held to an endpoint.
    func checkOverKept(at endpoint: Endpoint) -> CheckJob? { network.keptCheck(at: endpoint) }

    /// Puts a listener behind endpoints.
    mutating func listen(_ listener: Listener, at endpoints: [Endpoint]) {
        for endpoint in endpoints { network.listen(listener, at: endpoint, now: now) }
    }

    mutating func listen(_ listener: Listener, at endpoint: Endpoint) { listen(listener, at: [endpoint]) }

    /// Puts a listener behind all endpoints that have none of their own.
    mutating func listenEverywhere(_ listener: Listener) { network.listenEverywhere(listener, now: now) }

    /// Moves the clock by a duration, and has the network answer in the meantime.
    mutating func run(for duration: Duration) {
        let limit = now + duration
        var stepsAtOnce = 0
        while true {
            while !checks.isEmpty || !probes.isEmpty { askNetwork() }
            guard let next = [state.next, network.next].compactMap({ $0 }).min(), next <= limit else { break }
            stepsAtOnce = next > now ? 0 : stepsAtOnce + 1
            precondition(stepsAtOnce < 100_000, "something is due again and again at the same time")
            now = max(now, next)
            for delivery in network.take(until: now) { deliver(delivery) }
            step()
        }
        now = limit
        step()
    }

    /// Passes the pending checks and probes to the network.
    private mutating func askNetwork() {
        let (checks, probes) = (checks, probes)
        self.checks = []
        self.probes = []
        for check in checks {
            let isOverKept = network.check(check, now: now)
            note(.check(check), isOverKept: isOverKept)
        }
        for job in probes {
            network.probe(job, now: now)
            note(.probe(job))
        }
    }

    private mutating func note(_ job: Question.Job, isOverKept: Bool = false) {
        guard keepsRecords else { return }
        questions.append(Question(time: elapsed, job: job, isOverKept: isOverKept))
    }

    private mutating func deliver(_ delivery: SampleNetwork.Delivery) {
        switch delivery.content {
        case .probe(let job, let report): state.ended(job.id, report: report, now: now)
        case .check(let job, let result): state.ended(job, result, now: now)
        case .hostReported(let address, let services):
            if !services.isEmpty { state.hostReported(address, services, now: now) }
            state.hostEnded(address)
        case .answered(let job, let hold, let roundTrip, let signature):
            guard network.isHeld(hold, at: job.endpoint) else { return }
            state.answered(job, roundTrip, signature, now: now)
        case .ended(let job, let hold, let end):
            guard network.isHeld(hold, at: job.endpoint) else { return }
            network.release(job.endpoint)
            state.heldConnectionEnded(job, end, now: now)
        }
        step()
    }
}

/// The endpoints to which services lead.
private enum Candidates {
    static func endpoints(of service: DiscoveredService) -> [Endpoint] {
        service.sightings.values.flatMap { sighting in
            sighting.addresses.compactMap { address in sighting.port.map { Endpoint(address: address, port: $0) } }
        }
    }
}
