internal import BotMap
internal import DNSSD
internal import GatewayProtocol
internal import Gateways
internal import HeapModule

extension ScanState {
    // MARK: Answers

    /// A gateway has answered, asked or not: a late answer counts too.
    ///
    /// - Parameter isProbe: Whether it has just said what it is.
    mutating func answered(
        _ id: Int,
        _ endpoint: Endpoint,
        _ roundTrip: Duration?,
        isProbe: Bool = false,
        now: ContinuousClock.Instant
    ) {
        guard let target = targets[id], target.answers[endpoint] != nil else { return }
        let wasGone = target.tracker.liveness == .gone
        let isNews = targets[id]?.tracker.answered() == true
        targets[id]?.outstanding = []
        targets[id]?.check += 1
        if target.primary == nil || isNews || target.tracker.misses > 0 { targets[id]?.primary = endpoint }
        if isNews { keepServices(of: id) }
        if isNews || target.isWorthTelling(roundTrip) {
            targets[id]?.toldRoundTrip = roundTrip ?? target.toldRoundTrip
            tell(.liveness(endpoint, .answering, roundTrip: roundTrip))
        }
        guard configuration.watches else { return }
        // It may be another one than it was.
        if wasGone, !isProbe { ask(id, .again) }
        meet(id, at: now + pace)
    }

    /// How often each gateway is asked.
    private var pace: Duration {
        max(configuration.interval, .seconds(1) * watched / configuration.checksPerSecond)
    }

    // MARK: Questions

    /// The time of a target's appointment has come.
    mutating func look(at id: Int, now: ContinuousClock.Instant) {
        guard configuration.watches, let target = targets[id] else { return }
        switch target.tracker.liveness {
        case nil:
            if let since = target.waitsSince, case let time = since + turn(of: id), now < time {
                // There may be fewer of them by then.
                meet(id, at: min(time, now + LivenessTracker.longestWait), waitingSince: since)
            } else {
                askLater(id, now: now)
            }
        case .gone:
            if target.isWanted { askLater(id, now: now) } else { drop(id) }
        case .answering, .suspect:
            if let refresh = target.refreshTime, refresh <= now, target.tracker.misses == 0 {
                let refreshTime = now + configuration.refresh
                targets[id]?.refreshTime = refreshTime
                askLater(id, now: now)
            } else {
                check(id, now: now)
            }
        }
    }

    /// Asks again what is there; looks again later where other probes of the target still wait, so that it is not forgotten.
    private mutating func askLater(_ id: Int, now: ContinuousClock.Instant) {
        if !ask(id, .again) { meet(id, at: now + configuration.interval) }
    }

    private mutating func check(_ id: Int, now: ContinuousClock.Instant) {
        guard let target = targets[id], target.outstanding.isEmpty else { return }
        if let nextCheckTime, now < nextCheckTime {
            return meet(id, at: nextCheckTime, waitingSince: target.waitsSince ?? now)
        }
        // Where one address is silent, another one may answer.
        let endpoints = target.tracker.misses == 0 ? target.primary.map { [$0] } ?? [] : target.answers.keys.sorted()
        var asked: Set<Endpoint> = []
        for endpoint in endpoints {
            guard let answer = target.answers[endpoint], let job = job(id, answer, target, now: now) else { continue }
            asked.insert(endpoint)
            actions.append(.check(job))
        }
        // What could not be asked, since there is no socket for it, has not missed anything.
        guard !asked.isEmpty else { return meet(id, at: now + Self.retry, waitingSince: target.waitsSince ?? now) }
        let spacing = Duration.seconds(1) / configuration.checksPerSecond * asked.count
        nextCheckTime = max(nextCheckTime ?? now, now) + spacing
        targets[id]?.outstanding = asked
        targets[id]?.check += 1
        targets[id]?.checkStart = now
        appointments.insert(
            Appointment(
                time: now + LivenessTracker.patience,
                purpose: .checkOver(target: id, check: target.check + 1)
            )
        )
    }

    private mutating func job(
        _ id: Int,
        _ answer: ScanTarget.Answer,
        _ target: ScanTarget,
        now: ContinuousClock.Instant
    ) -> CheckJob? {
        let endpoint = answer.path.endpoint
        let pulse = GatewayPulse(path: answer.path, dialect: answer.dialect, resource: target.resource)
        // While gateways are still being asked what they are, the sockets are for that.
        let mayHold = watched <= configuration.heldConnections && running.isEmpty && waiting.count == 0
        if holds.contains(endpoint), watched > configuration.heldConnections { release(endpoint) }
        let isOpen = holds.contains(endpoint)
        let isHeld = isOpen || (pulse.canBeHeld && mayHold)
        if isHeld {
            if !isOpen, !budget.spend(endpoint.address, at: now) { return nil }
            holds.insert(endpoint)
        } else {
            guard budget.begin([endpoint.address], at: now) == .begin else { return nil }
        }
        return CheckJob(
            target: id,
            number: target.check + 1,
            path: answer.path,
            dialect: answer.dialect,
            resource: target.resource,
            isHeld: isHeld
        )
    }

    /// A check over a connection of its own has ended, with or without an answer.
    mutating func ended(_ job: CheckJob, roundTrip: Duration?, now: ContinuousClock.Instant) {
        budget.end([job.endpoint.address], used: [job.endpoint.address: 1], at: now)
        unblock([job.endpoint.address])
        if let roundTrip {
            answered(job.target, job.endpoint, roundTrip, now: now)
        } else {
            missed(job, now: now)
        }
    }

    // MARK: Misses

    /// One endpoint has answered a check with nothing, or not as the gateway does.
    private mutating func missed(_ job: CheckJob, now: ContinuousClock.Instant) {
        guard targets[job.target]?.check == job.number else { return }
        missed(job.target, job.endpoint, now: now)
    }

    private mutating func missed(_ id: Int, _ endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard targets[id]?.outstanding.remove(endpoint) != nil else { return }
        if targets[id]?.outstanding.isEmpty == true { concludeCheck(of: id, now: now) }
    }

    /// A kept connection is no more. Whatever was asked over it has no answer.
    mutating func holdEnded(_ job: CheckJob, now: ContinuousClock.Instant) {
        holds.remove(job.endpoint)
        missed(job.target, job.endpoint, now: now)
    }

    /// Nothing has answered a check.
    mutating func concludeCheck(of id: Int, now: ContinuousClock.Instant) {
        guard let target = targets[id] else { return }
        targets[id]?.outstanding = []
        targets[id]?.check += 1
        miss(id, checked: target.checkStart ?? now, now: now)
    }

    /// A whole ladder has led to nothing, at what was known as a gateway.
    mutating func missedProbe(of id: Int, now: ContinuousClock.Instant) {
        miss(id, checked: now, now: now)
    }

    private mutating func miss(_ id: Int, checked: ContinuousClock.Instant, now: ContinuousClock.Instant) {
        guard configuration.watches else { return }
        if let liveness = targets[id]?.tracker.missed(), let target = targets[id] {
            for endpoint in target.answers.keys.sorted() { tell(.liveness(endpoint, liveness)) }
        }
        guard let target = targets[id] else { return }
        // One miss is nothing.
        if target.tracker.liveness != .answering { doubtServices(of: id, now: now) }
        if target.tracker.liveness == .gone { release(target.services) }
        if target.tracker.liveness == .gone {
            guard target.isWanted else { return drop(id) }
            guard let wait = targets[id]?.tracker.nextWait() else { return }
            meet(id, at: now + wait)
        } else {
            // The next question follows at once, but a process that is starting anew is given its second.
            meet(id, at: max(now, checked + LivenessTracker.patience))
        }
    }

    /// No gateway is at a target.
    mutating func foundNone(at id: Int, now: ContinuousClock.Instant) {
        guard configuration.watches, let target = targets[id] else { return }
        let wasGateway = target.tracker.liveness != nil
        if wasGateway {
            // Something else is there now.
            for endpoint in targets[id]?.answers.keys.sorted() ?? [] { tell(.liveness(endpoint, .gone)) }
            targets[id]?.tracker = LivenessTracker()
            targets[id]?.primary = nil
            release(targets[id]?.services ?? [])
        }
        guard let wait = targets[id]?.tracker.nextWait() else { return }
        // Neither what the user named nor what has just been a gateway waits its turn among strangers.
        meet(id, at: now + wait, waitingSince: target.isTypedIn || wasGateway ? nil : now)
    }

    /// How long one of those waits for its turn behind which no gateway is known: all together are asked about as often as
    /// gateways are, so that whoever forges thousands of them does not keep us busy. From half to one and a half of what is
    /// due to each: those that came at once do not come back at once.
    private func turn(of id: Int) -> Duration {
        let strangers = max(0, targets.tally.asked - targets.tally.gateways)
        return .seconds(1) * (strangers * (512 + id % 1_024)) / configuration.checksPerSecond / 1_024
    }
}

extension ScanTarget {
    /// Whether a round-trip time differs from the one that was told so much that a person would care.
    func isWorthTelling(_ roundTrip: Duration?) -> Bool {
        guard let roundTrip else { return false }
        guard let told = toldRoundTrip else { return true }
        let (low, high) = (min(roundTrip, told), max(roundTrip, told))
        return high - low > .milliseconds(2) && high > low * 3 / 2
    }
}
