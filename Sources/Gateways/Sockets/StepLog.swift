internal import DNSSD
internal import GatewayProtocol
internal import Synchronization

/// What was tried, as it comes in from several tasks.
final class StepLog: Sendable {
    private let log = Mutex<[GatewayProbeStep]>([])

    /// The steps in the order in which they ended.
    var steps: [GatewayProbeStep] { log.withLock { $0 } }

    func add(
        _ kind: GatewayProbeStep.Kind,
        _ endpoint: Endpoint,
        question: String = "",
        result: String,
        since start: ContinuousClock.Instant,
        succeeded: Bool
    ) {
        let step = GatewayProbeStep(
            kind: kind,
            endpoint: endpoint,
            question: question,
            result: result,
            elapsed: .now - start,
            succeeded: succeeded
        )
        log.withLock { $0.append(step) }
    }
}
