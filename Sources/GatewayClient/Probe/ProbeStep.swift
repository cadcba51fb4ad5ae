internal import DNSSD
internal import GatewayProtocol

/// Asks one question over one connection, and judges the answer.
struct ProbeStep: Sendable {
    /// The outcome of the question, and the path on which it was asked.
    struct Result: Sendable {
        let outcome: ProbeStepOutcome
        let path: GatewayProbePath?
    }

    let question: ProbeQuestion
    let endpoints: [Endpoint]
    let transport: GatewayTransport
    let greetingTimeout: Duration
    let limits: ConnectionLimits
    let end: ContinuousClock.Instant
    let log: StepLog

    private var jsonLimits: JSONLimits {
        JSONLimits(maximumBytes: limits.frameBytes, maximumDepth: limits.depth)
    }

    /// Asks the question, within the time limits of this step and of all steps together.
    func ask() async -> Result {
        do throws(GatewayConnectionError) {
            return try await Dialer.run(limits: limits, until: end, log: log) { await ask($0) }
        } catch {
            return Result(outcome: .noConnection(.noSocket), path: nil)
        }
    }

    private func ask(_ dialer: Dialer) async -> Result {
        let start = ContinuousClock.now
        do throws(GatewayConnectionError) {
            let result: Result
            switch question {
            case .webSocket: result = try await webSocket(isOpenAgents: false, dialer)
            case .openAgentsHello: result = try await webSocket(isOpenAgents: true, dialer)
            case .bridgeHealth: result = try await bridgeHealth(dialer)
            case .http(let resource): result = try await http(resource, dialer)
            }
            note(result, since: start)
            return result
        } catch {
            let result = Result(
                outcome: outcome(of: error, within: dialer.scope.limit),
                path: log.connected(among: endpoints)
            )
            // A connection that failed is in the log already.
            if case .noConnection = result.outcome { return result }
            if result.outcome != .noTLS { note(result, since: start) }
            return result
        }
    }

    private func webSocket(
        isOpenAgents: Bool,
        _ dialer: Dialer
    ) async throws(GatewayConnectionError) -> Result {
        var connection = try await WebSocketConnection.open(endpoints, transport: transport, dialer: dialer)
        var inquiry = WebSocketInquiry(isOpenAgents: isOpenAgents, limits: jsonLimits)
        var asked: ContinuousClock.Instant?
        while true {
            let event = inquiry.hasAsked ? await connection.next() : await connection.next(within: greetingTimeout)
            guard let event else {
                inquiry.asked()
                // The time before, in which the gateway could speak first, is not part of its answer's time.
                asked = .now
                // A peer that hangs up while we send has already sent its reason, which comes as the next event.
                try? await connection.send(inquiry.question)
                continue
            }
            let action = inquiry.receive(event, within: dialer.scope.limit, firstBytes: connection.firstBytes)
            guard case .finish(let outcome) = action else { continue }
            if outcome.isGateway {
                if let asked { log.answered(asked) }
                connection.close()
            }
            return Result(outcome: outcome, path: connection.path)
        }
    }

    private func bridgeHealth(_ dialer: Dialer) async throws(GatewayConnectionError) -> Result {
        var connection = try await LineConnection.open(endpoints, transport: transport, dialer: dialer)
        var inquiry = BridgeInquiry(limits: jsonLimits)
        try await connection.send(inquiry.question)
        switch await connection.next() {
        case .line(let line):
            let outcome: ProbeStepOutcome =
                inquiry.isAnswered(by: line)
                ? .identified(.bridge) : .foreign(ForeignAnswer(firstBytes: connection.firstBytes), isHTTP: false)
            return Result(outcome: outcome, path: connection.path)
        case .closed:
            let bytes = connection.firstBytes
            let outcome: ProbeStepOutcome =
                bytes.isEmpty
                ? .silent(.closed, isHTTP: false) : .foreign(ForeignAnswer(firstBytes: bytes), isHTTP: false)
            return Result(outcome: outcome, path: connection.path)
        case .failed(let error):
            throw error
        }
    }

    private func http(_ resource: String, _ dialer: Dialer) async throws(GatewayConnectionError) -> Result {
        let connection = try await HTTPConnection.open(endpoints, transport: transport, dialer: dialer)
        let reply = try await connection.get(resource)
        let outcome: ProbeStepOutcome =
            switch reply.status == 200 && reply.isWhole ? HealthReply(parsing: reply.body, limits: jsonLimits) : nil {
            case .openClaw: .identified(.openClaw(OpenClawIdentification(evidence: .health)))
            case .clawline(let version): .identified(.clawline(protocolVersion: version))
            case nil: .foreign(ForeignAnswer(firstBytes: reply.firstBytes), isHTTP: true)
            }
        return Result(outcome: outcome, path: reply.path)
    }

    private func outcome(of error: GatewayConnectionError, within limit: Duration) -> ProbeStepOutcome {
        let answer = ForeignAnswer(firstBytes: error.firstBytes)
        let isHTTP = ForeignAnswer.isHTTP(error.firstBytes)
        switch error.code {
        case .refused: return .noConnection(.refused)
        case .unreachable: return .noConnection(.unreachable)
        case .noSocket: return .noConnection(.noSocket)
        case .tlsFailed: return .noTLS
        case .wrongLeaf: return .noConnection(error.leaf.map { .wrongLeaf(found: $0) } ?? .tlsFailure)
        case .timedOut where log.connected(among: endpoints) == nil:
            return .noConnection(.noAnswer(within: limit))
        // A few bytes are no answer, and neither is an unfinished HTTP response; more bytes of anything else are one.
        case .timedOut where error.firstBytes.count < 4 || isHTTP:
            return .silent(.noAnswer(within: limit), isHTTP: isHTTP)
        case .closed where error.firstBytes.isEmpty: return .silent(.closed, isHTTP: false)
        default: return .foreign(answer, isHTTP: isHTTP)
        }
    }

    private func note(_ result: Result, since start: ContinuousClock.Instant) {
        guard let endpoint = result.path?.endpoint ?? endpoints.first else { return }
        let (kind, words): (GatewayProbeStep.Kind, String) =
            switch question {
            case .webSocket(let resource): (.webSocket, "upgrade \(resource), gateway.discover")
            case .openAgentsHello(let resource): (.webSocket, "upgrade \(resource), Hello")
            case .bridgeHealth: (.line, "health")
            case .http(let resource): (.http, "GET \(resource)")
            }
        log.add(
            kind,
            endpoint,
            question: words,
            result: result.outcome.summary,
            // Connecting and TLS are steps of their own.
            since: max(start, log.lastEnd ?? start),
            succeeded: result.outcome.isGateway
        )
    }
}
