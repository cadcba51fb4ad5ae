package import GatewayProtocol

/// Asks an endpoint which gateway it is, and which bots it has.
///
/// There is always a report in time, whatever the endpoint does: every failure is a verdict. Nothing secret is sent, no
/// redirect is followed, no pairing is asked for and no other device is displaced. The probe uses one socket at a time,
/// or a few while the addresses of a gateway race.
///
/// ## Usage
///
///     let target = GatewayProbeTarget(endpoints: endpoints, rules: TargetRules(origin: .network))
///     let report = await GatewayProbe().run(target)
///     if case .optaplus(let gateway) = report.verdict { print(gateway.bots.map(\.name)) }
package struct GatewayProbe: Sendable {
    private let configuration: GatewayProbeConfiguration

    /// Creates a probe, which can be run any number of times, also at the same time.
    ///
    /// - Parameter configuration: The limits and waiting times of the probe.
    package init(_ configuration: GatewayProbeConfiguration = GatewayProbeConfiguration()) {
        self.configuration = configuration
    }

    /// Runs the probe. Cancelling the task ends it at once, with the result so far.
    ///
    /// - Parameters:
    ///   - target: The gateway to ask.
    ///   - deadline: The time at which the report must be ready, if that is before the configured time is over.
    package func run(
        _ target: GatewayProbeTarget,
        deadline: ContinuousClock.Instant? = nil
    ) async -> GatewayProbeReport {
        let start = ContinuousClock.now
        let end = min(start + configuration.duration, deadline ?? start + configuration.duration)
        let log = StepLog()
        var path: GatewayProbePath?
        func report(_ verdict: GatewayVerdict) -> GatewayProbeReport {
            if case .nothing = verdict { path = nil }
            return GatewayProbeReport(
                verdict: verdict,
                path: path,
                steps: log.steps,
                elapsed: .now - start,
                roundTrip: verdict.dialect == nil ? nil : log.roundTrip ?? log.steps.last(where: \.succeeded)?.elapsed,
                connecting: path.flatMap { log.connecting(to: $0.endpoint) }
            )
        }

        var untried = target.endpoints.filter { target.rules.refusal(of: $0) == nil }
        guard !untried.isEmpty else {
            let refusal = target.endpoints.lazy.compactMap(target.rules.refusal).first
            return report(.nothing(refusal.map(NoAnswer.notAllowed) ?? .unreachable))
        }
        func makeSequence() -> ProbeSequence {
            ProbeSequence(target.questions, transports: target.transports)
        }
        var endpoints = untried
        var sequence = makeSequence()
        var action = sequence.start()
        var foreign: (verdict: GatewayVerdict, path: GatewayProbePath?)?
        var reason: GatewayVerdict?
        while true {
            switch action {
            case .finish(let verdict):
                if verdict.dialect != nil { return report(verdict) }
                // A wrong host at one address says nothing about the other addresses.
                let tried = path
                if case .other = verdict, foreign == nil { foreign = (verdict, tried) }
                reason = reason ?? verdict
                untried.removeAll { $0 == tried?.endpoint }
                path = nil
                guard tried != nil, !untried.isEmpty, .now < end else {
                    path = foreign?.path
                    return report(foreign?.verdict ?? reason ?? verdict)
                }
                endpoints = untried
                sequence = makeSequence()
                action = sequence.start()
            case .ask(let question, let isTLS):
                guard .now < end, !Task.isCancelled else {
                    return report(foreign?.verdict ?? reason ?? sequence.outOfTime(min(end, .now) - start))
                }
                let greetingTimeout = configuration.greetingTimeout
                let step = ProbeStep(
                    question: question,
                    endpoints: endpoints,
                    transport: isTLS ? .tls(pin: target.pin) : .plain,
                    greetingTimeout: target.mayGreet ? greetingTimeout : greetingTimeout / 4,
                    limits: configuration.limits,
                    end: end,
                    log: log
                )
                let result = await step.ask()
                // All further questions go to the address that has worked once.
                if let way = result.path {
                    endpoints = [way.endpoint]
                    path = way
                }
                action = sequence.receive(result.outcome)
            }
        }
    }
}
