internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// The questions to OpenClaw gateways whether they can do their work. They are asked once a minute and when something has
/// changed, within the budget of probes, also where a session shows that the gateway is alive: that says nothing of its
/// channels.
extension ScanState {
    /// Takes in that a gateway has answered.
    ///
    /// - Parameter isNews: Indicates whether it did not answer before, or answers otherwise.
    mutating func noteReadiness(
        of identity: GatewayIdentity,
        on path: GatewayProbePath,
        connecting: Duration? = nil,
        isNews: Bool,
        now: ContinuousClock.Instant
    ) {
        guard identity.dialect == .openClaw, configuration.probes else { return forgetReadiness(of: path.endpoint) }
        readiness.note(path, connecting: connecting, isNews: isNews, now: now)
    }

    /// Puts the questions whose time has come into the queues of their addresses.
    mutating func enqueueReadiness(now: ContinuousClock.Instant) {
        while let endpoint = readiness.takeDue(now) {
            let number = jobs.nextNumber()
            readiness.wait(endpoint, job: number)
            budget.enqueue(
                ProbeBudget.Entry(
                    endpoint: endpoint,
                    job: number,
                    connections: ReadinessCheck.mostConnections,
                    standing: .answered,
                    host: nil
                )
            )
        }
    }

    /// Begins a question whose turn has come.
    mutating func startReadiness(_ entry: ProbeBudget.Entry, now: ContinuousClock.Instant) {
        if let job = readiness.begin(entry, now: now) { actions.append(.askReadiness(job)) }
    }

    /// Takes in the result of a question.
    mutating func ended(
        _ job: ReadinessJob,
        _ result: ReadinessCheck.Result,
        connections: Int,
        now: ContinuousClock.Instant
    ) {
        // One that is looked at once is asked once.
        let interval = configuration.watches ? configuration.refresh : nil
        guard let end = readiness.end(job, result, interval: interval, now: now) else { return }
        budget.end(end.entry, used: connections, at: now)
        if let news = end.news { emit(.readiness(job.endpoint, news)) }
    }

    /// Stops asking an endpoint at which no OpenClaw gateway answers any more.
    mutating func forgetReadiness(of endpoint: Endpoint) {
        let (wasWaiting, wasNotReady) = readiness.forget(endpoint)
        if wasWaiting { budget.withdraw(endpoint) }
        // One that comes back may say nothing of it, and must not count as not ready for that.
        if wasNotReady { emit(.readiness(endpoint, nil)) }
    }
}
