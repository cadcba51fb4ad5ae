internal import DNSSD
internal import GatewayProtocol
internal import Synchronization

/// A log of the steps that were tried, to which several tasks may add.
final class StepLog: Sendable {
    private struct State {
        var steps: [GatewayProbeStep] = []
        var lastEnd: ContinuousClock.Instant?
        var roundTrip: Duration?
        var connecting: [Endpoint: Duration] = [:]
    }

    private let log = Mutex(State())

    /// The steps in the order in which they ended.
    var steps: [GatewayProbeStep] { log.withLock { $0.steps } }

    /// The time at which the last step ended, if any has.
    var lastEnd: ContinuousClock.Instant? { log.withLock { $0.lastEnd } }

    /// The time that the last answer to a question took; an unsolicited message does not count.
    var roundTrip: Duration? { log.withLock { $0.roundTrip } }

    /// Returns the shortest time that connecting to an endpoint took: longer times include the wait for a lost packet.
    func connecting(to endpoint: Endpoint) -> Duration? { log.withLock { $0.connecting[endpoint] } }

    /// Records how long it took to connect to an endpoint.
    func connected(to endpoint: Endpoint, in time: Duration) {
        log.withLock { $0.connecting[endpoint] = min($0.connecting[endpoint] ?? time, time) }
    }

    /// Records that a question that was asked at this time has been answered now.
    func answered(_ question: ContinuousClock.Instant) {
        let now = ContinuousClock.now
        log.withLock { $0.roundTrip = now - question }
    }

    func add(
        _ kind: GatewayProbeStep.Kind,
        _ endpoint: Endpoint,
        question: String = "",
        result: String,
        since start: ContinuousClock.Instant,
        succeeded: Bool
    ) {
        let now = ContinuousClock.now
        let step = GatewayProbeStep(
            kind: kind,
            endpoint: endpoint,
            question: question,
            result: result,
            elapsed: now - start,
            succeeded: succeeded
        )
        log.withLock { log in
            log.steps.append(step)
            log.lastEnd = now
        }
    }

    /// Returns the path to the endpoint that was connected to last; `nil` when none of these endpoints was.
    func connected(among endpoints: [Endpoint]) -> GatewayProbePath? {
        let connection = steps.last { $0.kind == .connect && $0.succeeded && endpoints.contains($0.endpoint) }
        return connection.map { GatewayProbePath(endpoint: $0.endpoint, leaf: nil) }
    }
}
