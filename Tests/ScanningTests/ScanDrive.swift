import Constellation
import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol

@testable import Scanning

/// Runs a ``ScanState`` by hand, with a clock that stands still until it is moved, a map that receives what it reports, and a
/// network that answers.
///
/// Probes and checks that are due are in ``probes`` and ``checks`` until somebody ends them, or ``run(for:)`` has the
/// network answer.
struct ScanDrive {
    /// One change of the map, and when it came.
    struct MapChange {
        let time: Duration
        let change: BotMapChange
    }

    /// One question that was asked.
    struct Question {
        enum Job {
            case probe(ProbeJob)
            case check(CheckJob)
        }

        let time: Duration
        let job: Job

        /// Indicates whether it was asked over a connection that was there already.
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

    /// The time that it has been running.
    var elapsed: Duration { now - start }

    /// Probes that run.
    private(set) var probes: [ProbeJob] = []

    /// Checks that wait for an answer.
    private(set) var checks: [CheckJob] = []

    /// Everything that the map was told.
    private(set) var emitted: [BotMapEvent] = []

    /// Everything that the map made of it.
    private(set) var changes: [MapChange] = []

    /// The questions that the network was asked.
    private(set) var questions: [Question] = []

    /// The hosts that were asked themselves, and when.
    private(set) var hostsAsked: [(time: Duration, address: IPAddress, types: [ServiceType])] = []

    /// Kept connections that were let go.
    private(set) var released: [Endpoint] = []

    /// The services that the browser was told to verify, in order.
    private(set) var reconfirmed: [ServiceInstance] = []

    /// The services that the browser protects.
    private(set) var protected: Set<ServiceInstance> = []

    /// Indicates whether all that happened is noted; the present map is known in any case.
    var keepsRecords = true

    init(_ configuration: ScannerConfiguration = ScannerConfiguration()) {
        state = ScanState(configuration)
        now = start
    }

    /// Takes out what the map was told, and what it made of that.
    mutating func takeNews() -> (emitted: [BotMapEvent], changes: [MapChange]) {
        defer { (emitted, changes) = ([], []) }
        return (emitted, changes)
    }

    // MARK: By hand

    /// Does what is due, and tells the map, as a ``Scanner`` does.
    mutating func step() {
        repeat {
            for action in state.take(now: now) {
                switch action {
                case .probe(let job): probes.append(job)
                case .check(let job): checks.append(job)
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
                    let news = map.apply(event)
                    if keepsRecords { changes += news.map { MapChange(time: elapsed, change: $0) } }
                    state.learn(news, now: now)
                }
            }
        } while !state.actions.isEmpty
    }

    mutating func apply(_ change: ServiceChange) {
        state.apply(change, now: now)
        step()
    }

    /// Has the browser find a service, and the network answer where it leads.
    mutating func find(_ service: DiscoveredService, _ listener: Listener? = nil) {
        if let listener { listen(listener, at: Candidates.endpoints(of: service)) }
        apply(.found(service))
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

    /// Ends a check over a connection of its own, or answers over one that is kept.
    mutating func end(_ check: CheckJob, _ result: LivenessCheckResult) {
        checks.removeAll { $0 == check }
        if !check.isHeld {
            state.ended(check, result, now: now)
        } else if case .answered(let roundTrip, let signature) = result {
            state.answered(check, roundTrip, signature, now: now)
        }
        step()
    }

    /// Goes to when something is due.
    ///
    /// - Returns: Whether anything is.
    mutating func advance() -> Bool {
        guard let next = state.next else { return false }
        now = max(now, next)
        step()
        return true
    }

    // MARK: With a network

    /// The check that opened the connection that is kept to an endpoint.
    func checkOverKept(at endpoint: Endpoint) -> CheckJob? { network.keptCheck(at: endpoint) }

    /// Changes what is behind endpoints, from now on.
    mutating func listen(_ listener: Listener, at endpoints: [Endpoint]) {
        for endpoint in endpoints { network.listen(listener, at: endpoint, now: now) }
    }

    mutating func listen(_ listener: Listener, at endpoint: Endpoint) { listen(listener, at: [endpoint]) }

    /// Changes what is behind all endpoints of which nothing else was said.
    mutating func listenEverywhere(_ listener: Listener) { network.listenEverywhere(listener, now: now) }

    /// Goes so far, and has the network answer on the way.
    mutating func run(for duration: Duration) {
        let limit = now + duration
        var stepsAtOnce = 0
        while true {
            while !checks.isEmpty || !probes.isEmpty { askNetwork() }
            guard let next = [state.next, network.next].compactMap({ $0 }).min(), next <= limit else { break }
            stepsAtOnce = next > now ? 0 : stepsAtOnce + 1
            precondition(stepsAtOnce < 100_000, "it does not come to rest")
            now = max(now, next)
            for delivery in network.take(until: now) { deliver(delivery) }
            step()
        }
        now = limit
        step()
    }

    /// Has the network answer what is to be asked.
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

/// The endpoints that services lead to.
private enum Candidates {
    static func endpoints(of service: DiscoveredService) -> [Endpoint] {
        service.sightings.values.flatMap { sighting in
            sighting.addresses.compactMap { address in sighting.port.map { Endpoint(address: address, port: $0) } }
        }
    }
}
