import BotMap
import DNSSD
import Discovery
import GatewayProtocol
import Gateways

@testable import Scanning

/// Runs a ``ScanState`` by hand, with a clock that stands still until it is moved.
struct ScanDrive {
    var state: ScanState
    private(set) var now = ContinuousClock.now

    /// Probes that run.
    private(set) var probes: [ProbeJob] = []

    /// Checks that wait for an answer.
    private(set) var checks: [CheckJob] = []

    /// Checks whose connections stay open without an answer.
    private var silent: [(check: CheckJob, end: ContinuousClock.Instant)] = []

    /// Everything that the map was told.
    private(set) var told: [BotMapEvent] = []

    /// Kept connections that were let go.
    private(set) var released: [Endpoint] = []

    /// The services that the browser was told to verify, in order.
    private(set) var reconfirmed: [ServiceInstance] = []

    /// The services that the browser keeps.
    private(set) var kept: Set<ServiceInstance> = []

    init(_ configuration: ScannerConfiguration = ScannerConfiguration()) {
        state = ScanState(configuration)
    }

    mutating func step() {
        for action in state.take(now: now) {
            switch action {
            case .probe(let job): probes.append(job)
            case .check(let job): checks.append(job)
            case .release(let endpoint): released.append(endpoint)
            case .reconfirm(let instance): reconfirmed.append(instance)
            case .keep(let instance, true): kept.insert(instance)
            case .keep(let instance, false): kept.remove(instance)
            case .tell(let event): told.append(event)
            }
        }
    }

    mutating func apply(_ change: ServiceChange) {
        state.apply(change, now: now)
        step()
    }

    mutating func end(_ job: ProbeJob, _ report: GatewayProbeReport) {
        probes.removeAll { $0.id == job.id }
        state.ended(job.id, report: report, now: now)
        step()
    }

    mutating func answer(_ check: CheckJob) {
        end(check, roundTrip: .milliseconds(1))
    }

    mutating func end(_ check: CheckJob, roundTrip: Duration?) {
        checks.removeAll { $0 == check }
        if !check.isHeld {
            state.ended(check, roundTrip: roundTrip, now: now)
        } else if let roundTrip {
            state.answered(check.target, check.endpoint, roundTrip, now: now)
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

    /// Goes so far, and answers checks and probes as told on the way.
    mutating func run(
        for duration: Duration,
        answering: (Endpoint) -> Bool = { _ in false },
        dialect: GatewayDialect = .bridge
    ) {
        let limit = now + duration
        while true {
            while let check = checks.first {
                checks.removeFirst()
                if answering(check.endpoint) {
                    answer(check)
                } else if !check.isHeld {
                    silent.append((check, now + LivenessTracker.patience))
                }
            }
            while let job = probes.first {
                let endpoint = job.question.endpoints.first(where: answering)
                let report = endpoint.map { Samples.report($0, dialect: dialect) }
                end(job, report ?? Samples.silence(.noAnswer(within: .seconds(1))))
            }
            let next = [state.next, silent.first?.end].compactMap { $0 }.min()
            guard let next, next <= limit else { break }
            now = max(now, next)
            step()
            while let first = silent.first, first.end <= now {
                silent.removeFirst()
                end(first.check, roundTrip: nil)
            }
        }
        now = limit
        step()
    }

    /// What was told last about the liveness of an endpoint.
    func liveness(_ endpoint: Endpoint) -> Liveness? {
        for event in told.reversed() {
            if case .liveness(endpoint, let liveness, _) = event { return liveness }
        }
        return nil
    }
}
