internal import DNSSD
internal import GatewayClient

/// The liveness checks of gateways, over connections that are kept or opened for each.
extension GatewayScanner {
    func answered(_ job: CheckJob, _ roundTrip: Duration, _ signature: HTTPSignature?) {
        metrics.noteAnswer(roundTrip)
        state.answered(job, roundTrip, signature, now: clock.now)
        noteAnswerTime(of: job.endpoint)
        wake?.yield()
    }

    /// Tells whoever wants to know it when an endpoint last answered.
    func noteAnswerTime(of endpoint: Endpoint) {
        // After a miss, its time is that of a suspicion, or was told before.
        guard let tracker = state.endpoints[endpoint]?.tracker, tracker.misses == 0, let time = tracker.answeredAt
        else { return }
        constellation.answerTimes.note(endpoint, at: time)
    }

    func ended(_ job: CheckJob, _ result: LivenessCheckResult) {
        metrics.note(result)
        state.ended(job, result, now: clock.now)
        noteAnswerTime(of: job.endpoint)
        wake?.yield()
    }

    func ended(_ job: ReadinessJob, _ result: ReadinessCheck.Result, connections: Int) {
        state.ended(job, result, connections: connections, now: clock.now)
        wake?.yield()
    }

    func heldConnectionEnded(_ job: CheckJob, number: Int, _ end: HeldConnectionEnd) {
        guard held.isLatest(number, at: job.endpoint) else { return }
        held.letGo(of: job.endpoint)
        metrics.note(end)
        state.heldConnectionEnded(job, end, now: clock.now)
        wake?.yield()
    }

    /// Asks over the held connection, or over a new one if there is none or it leads to the gateway's former path.
    func ask(_ job: CheckJob, _ group: inout DiscardingTaskGroup) {
        guard let (number, checks) = held.ask(job) else { return }
        group.addTask {
            let end = await job.livenessCheck.hold(checks: checks) { await self.answered(job, $0, $1) }
            await self.heldConnectionEnded(job, number: number, end)
        }
    }
}

extension GatewayScanner {
    /// Asks each gateway that counts as answering once more, and waits until it is known whether it does. A gateway with a
    /// live session is not asked.
    ///
    /// - Parameter deadline: The latest time at which to return.
    package func checkAnew(until deadline: ContinuousClock.Instant) async {
        var asked: Set<Endpoint> = []
        change { asked = $0.checkAnew(now: $1) }
        let due = asked
        guard !due.isEmpty else { return }
        _ = await waits(until: deadline) { $0.hasReportedAll && $0.state.hasAnswers(from: due) }
    }
}
