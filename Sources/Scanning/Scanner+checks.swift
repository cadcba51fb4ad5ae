internal import DNSSD
internal import GatewayClient

/// The liveness checks of gateways, over connections that are kept or opened for each.
extension Scanner {
    /// A connection to a gateway that is held, or is being opened.
    struct HeldCheck {
        let number: Int
        let job: CheckJob
        let checks: AsyncStream<Void>.Continuation
    }

    func answered(_ job: CheckJob, _ roundTrip: Duration, _ signature: HTTPSignature?) {
        metrics.noteAnswer(roundTrip)
        state.answered(job, roundTrip, signature, now: clock.now)
        wake?.yield()
    }

    func ended(_ job: CheckJob, _ result: LivenessCheckResult) {
        metrics.note(result)
        state.ended(job, result, now: clock.now)
        wake?.yield()
    }

    func heldConnectionEnded(_ job: CheckJob, number: Int, _ end: HeldConnectionEnd) {
        guard held[job.endpoint]?.number == number else { return }
        letGo(of: job.endpoint)
        metrics.note(end)
        state.heldConnectionEnded(job, end, now: clock.now)
        wake?.yield()
    }

    /// Lets go of the connection that is held to an endpoint, if there is one.
    func letGo(of endpoint: Endpoint) { held.removeValue(forKey: endpoint)?.checks.finish() }

    /// Asks over the held connection, or over a new one if there is none or it leads to the gateway's former path.
    func ask(_ job: CheckJob, _ group: inout DiscardingTaskGroup) {
        if let check = held[job.endpoint] {
            if check.job.path == job.path {
                check.checks.yield()
                return
            }
            letGo(of: job.endpoint)
        }
        lastHeldConnection += 1
        let number = lastHeldConnection
        let (checks, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        held[job.endpoint] = HeldCheck(number: number, job: job, checks: continuation)
        group.addTask {
            let end = await job.livenessCheck.hold(checks: checks) { await self.answered(job, $0, $1) }
            await self.heldConnectionEnded(job, number: number, end)
        }
        continuation.yield()
    }
}
