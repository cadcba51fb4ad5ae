import DNSSD
import GatewayClient
import GatewayProtocol

@testable import Scanning

/// A simulated network, as a value: the listeners behind endpoints, the held connections, and the answers under way.
///
/// A held connection belongs to the process that accepted it: it ends with that process, and stays open while the
/// process is only silent.
struct SampleNetwork {
    /// An answer or another event that arrives at a certain time.
    struct Delivery {
        enum Content {
            case probe(ProbeJob, GatewayProbeReport)
            case check(CheckJob, LivenessCheckResult)
            case answered(CheckJob, hold: Int, Duration, HTTPSignature?)
            case ended(CheckJob, hold: Int, HeldConnectionEnd)
            case hostReported(IPAddress, [HostService])
        }

        let time: ContinuousClock.Instant
        let content: Content
    }

    /// A held connection.
    private struct HeldConnection {
        let number: Int
        let job: CheckJob

        /// The process at its other end; `nil` while the connection is being opened.
        var process: Int?

        /// Indicates whether its packets do not arrive any more, although a new connection would work.
        var isCut = false
    }

    /// The time that a probe of a refusing endpoint takes, and that of a silent one.
    private static let refusing = Duration.milliseconds(1)
    private static let silence = Duration.seconds(1)

    /// The time for which the query of a host waits that reports no services.
    private static let hostSilence = Duration.seconds(1)

    private var listeners: [Endpoint: Listener] = [:]
    private var hosts: [IPAddress: [HostService]] = [:]
    private var everywhere = Listener.silence
    private var holds: [Endpoint: HeldConnection] = [:]
    private var lastHeldConnection = 0
    private var underWay: [Delivery] = []

    /// The results of asking gateways whether they can do their work; `unsaid` where there is none.
    var readiness: [Endpoint: ReadinessCheck.Result] = [:]

    /// The loss of packets; none by default.
    var loss: PacketLoss?

    /// The next time at which something arrives.
    var next: ContinuousClock.Instant? { underWay.first?.time }

    /// The number of held connections.
    var heldCount: Int { holds.count }

    /// The listener behind an endpoint.
    subscript(endpoint: Endpoint) -> Listener { listeners[endpoint] ?? everywhere }

    func isHeld(_ number: Int, at endpoint: Endpoint) -> Bool { holds[endpoint]?.number == number }

    /// Returns the check that opened the held connection to an endpoint.
    func keptCheck(at endpoint: Endpoint) -> CheckJob? { holds[endpoint]?.job }

    // MARK: Listeners

    mutating func listen(_ listener: Listener, at endpoint: Endpoint, now: ContinuousClock.Instant) {
        listeners[endpoint] = listener
        endKept(at: endpoint, now: now)
    }

    mutating func listenEverywhere(_ listener: Listener, now: ContinuousClock.Instant) {
        everywhere = listener
        for endpoint in holds.keys.sorted() { endKept(at: endpoint, now: now) }
    }

    /// Stops the packets of the held connection to an endpoint, as when the address of this host has changed.
    mutating func cutKept(at endpoint: Endpoint) { holds[endpoint]?.isCut = true }

    /// Ends the held connection to a process that has ended. The end of a connection over HTTP is not noticed before
    /// the next question.
    private mutating func endKept(at endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard let hold = holds[endpoint], let process = hold.process, !hold.isCut else { return }
        switch self[endpoint] {
        case .silence: return
        case .gateway(let gateway) where gateway.process == process || gateway.isAskedOverHTTP: return
        case .gateway, .refusal, .webServer, .front: break
        }
        guard hold.job.dialect == .optaplus || hold.job.dialect == .openAgents else { return }
        deliver(.ended(hold.job, hold: hold.number, .closed), after: .milliseconds(1), now: now)
    }

    mutating func release(_ endpoint: Endpoint) { holds[endpoint] = nil }

    /// Sets the services that a host reports when it is queried directly. Other hosts are silent.
    mutating func answer(_ services: [HostService], by address: IPAddress) { hosts[address] = services }

    // MARK: Questions

    mutating func askHost(_ address: IPAddress, _ types: [ServiceType], now: ContinuousClock.Instant) {
        let services = (hosts[address] ?? []).filter { types.contains($0.instance.type) }
        let delay = services.isEmpty ? Self.hostSilence : .milliseconds(2)
        deliver(.hostReported(address, services), after: delay, now: now)
    }

    mutating func probe(_ job: ProbeJob, now: ContinuousClock.Instant) {
        let endpoint = job.endpoint
        switch self[endpoint] {
        case .silence:
            let report = Samples.silence(.noAnswer(within: Self.silence), at: endpoint)
            deliver(.probe(job, report), after: Self.silence, now: now)
        case .refusal:
            deliver(.probe(job, Samples.silence(.refused, at: endpoint)), after: Self.refusing, now: now)
        case .webServer(let connections):
            let report = Samples.answerOfSomethingElse(endpoint, connections: connections)
            deliver(.probe(job, report), after: .milliseconds(3), now: now)
        case .front(let status):
            deliver(.probe(job, Samples.answer(of: endpoint, status: status)), after: .milliseconds(3), now: now)
        case .gateway(let gateway) where job.question.pin != nil && gateway.leaf.map(Samples.leaf) != job.question.pin:
            // A pinned endpoint is asked over TLS alone; a listener without TLS fails the handshake.
            let reason = gateway.leaf.map { NoAnswer.wrongLeaf(found: Samples.leaf($0)) } ?? .tlsFailure
            deliver(.probe(job, Samples.silence(reason, at: endpoint)), after: .milliseconds(2), now: now)
        case .gateway(let gateway):
            let (connecting, exchange) = (delayOfConnecting(), delayOfExchange())
            // The time-outs of a probe for connecting and for one step.
            if connecting > .seconds(2) || exchange > .seconds(1) {
                let time = min(connecting, .seconds(2)) + min(exchange, .seconds(1))
                deliver(.probe(job, Samples.silence(.noAnswer(within: time), at: endpoint)), after: time, now: now)
            } else {
                let time = gateway.roundTrip * 3 + connecting + exchange
                deliver(.probe(job, Samples.report(endpoint, gateway)), after: time, now: now)
            }
        }
    }

    /// Starts a check.
    ///
    /// - Returns: `true` if it is asked over a connection that was open already.
    mutating func check(_ job: CheckJob, now: ContinuousClock.Instant) -> Bool {
        guard job.isHeld else {
            let (time, result) = livenessCheck(job)
            deliver(.check(job, result), after: time, now: now)
            return false
        }
        if let hold = holds[job.endpoint], hold.job.path == job.path {
            askKept(hold, job, now: now)
            return true
        }
        lastHeldConnection += 1
        var hold = HeldConnection(number: lastHeldConnection, job: job)
        let (time, result) = livenessCheck(job)
        if case .answered(let roundTrip, let signature) = result, case .gateway(let gateway) = self[job.endpoint] {
            hold.process = gateway.process
            deliver(.answered(job, hold: hold.number, roundTrip, signature), after: time, now: now)
        } else {
            deliver(.ended(job, hold: hold.number, .notOpened(result)), after: time, now: now)
        }
        holds[job.endpoint] = hold
        return false
    }

    private mutating func askKept(_ hold: HeldConnection, _ job: CheckJob, now: ContinuousClock.Instant) {
        // A connection that is still being opened carries the question once it is open.
        guard hold.process != nil else { return }
        let isOverHTTP = job.dialect == .openClaw || job.dialect == .clawline
        if case .gateway(let gateway) = self[job.endpoint], !hold.isCut, isOverHTTP || gateway.process == hold.process {
            switch gateway.livenessCheck(job) {
            case .answered(let roundTrip, let signature):
                let delay = delayOfExchange()
                deliver(
                    .answered(hold.job, hold: hold.number, roundTrip, signature),
                    after: roundTrip + delay,
                    now: now
                )
            case let result:
                let end: HeldConnectionEnd = result == .different ? .different : .notOpened(result)
                deliver(.ended(hold.job, hold: hold.number, end), after: .milliseconds(1), now: now)
            }
        } else if isOverHTTP {
            let isRefused = self[job.endpoint] == .refusal && !hold.isCut
            let end: HeldConnectionEnd = isRefused ? .notOpened(.refused) : .silent
            let time = isRefused ? Self.refusing : job.livenessCheck.answerTimeout
            deliver(.ended(hold.job, hold: hold.number, end), after: time, now: now)
        }
    }

    /// Returns the result of a check over a new connection, and the time that it takes.
    private mutating func livenessCheck(_ job: CheckJob) -> (time: Duration, LivenessCheckResult) {
        switch self[job.endpoint] {
        case .silence: return (job.livenessCheck.answerTimeout, .silent)
        case .refusal: return (Self.refusing, .refused)
        case .webServer, .front: return (.milliseconds(2), .different)
        case .gateway(let gateway):
            let time = gateway.roundTrip * 2 + delayOfConnecting() + delayOfExchange()
            return time > job.livenessCheck.answerTimeout
                ? (job.livenessCheck.answerTimeout, .silent) : (time, gateway.livenessCheck(job))
        }
    }

    private mutating func delayOfConnecting() -> Duration { loss?.connecting() ?? .zero }
    private mutating func delayOfExchange() -> Duration { loss?.exchange() ?? .zero }

    // MARK: Deliveries

    private mutating func deliver(_ content: Delivery.Content, after delay: Duration, now: ContinuousClock.Instant) {
        let time = now + delay
        // Deliveries at the same time stay in the order in which they were added.
        var (low, high) = (0, underWay.count)
        while low < high {
            let middle = (low + high) / 2
            if underWay[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        underWay.insert(Delivery(time: time, content: content), at: low)
    }

    /// Removes and returns the deliveries that have arrived by that time.
    mutating func take(until now: ContinuousClock.Instant) -> [Delivery] {
        let count = underWay.prefix { $0.time <= now }.count
        defer { underWay.removeFirst(count) }
        return Array(underWay.prefix(count))
    }
}
