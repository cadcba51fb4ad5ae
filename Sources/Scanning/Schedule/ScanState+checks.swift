internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import HeapModule

/// The liveness checks of gateways.
extension ScanState {
    /// The time after which a check is tried again that could not start, since too many were running.
    private static let retry = Duration.milliseconds(100)

    /// The additional time for which the answer to a probe is waited for: the first packet of its connection may be
    /// lost, and is sent again after a second (RFC 6298 §2.1).
    private static let connectionAllowance = Duration.milliseconds(250)

    // MARK: Questions

    /// Asks an endpoint whose time has come.
    mutating func look(at endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard let known = endpoints[endpoint] else { return }
        endpoints[endpoint]?.turn.take()
        guard !sessions.contains(endpoint), configuration.watches else { return enqueueProbe(endpoint, now: now) }
        switch known.tracker.liveness {
        case nil:
            if let since = known.turn.waitsSince, case let time = since + turn(of: endpoint), now < time {
                // Its turn may come sooner, since there may be fewer such endpoints by then.
                ask(endpoint, at: min(time, now + LivenessTracker.longestWait), waitingSince: since)
            } else {
                enqueueProbe(endpoint, now: now)
            }
        case .gone:
            if known.isWanted { enqueueProbe(endpoint, now: now) } else { drop(endpoint) }
        case .answering, .suspect:
            // The end of the running probe or check decides when to ask next.
            guard !known.question.isUnderWay else {
                guard known.question.demands.contains(.probe) else { return }
                if known.question.probing != .none {
                    endpoints[endpoint]?.question.demands.insert(.again)
                } else {
                    endpoints[endpoint]?.question.demands.remove(.again)
                }
                return
            }
            if let time = checks.wait(now: now) {
                return ask(endpoint, at: time, waitingSince: known.turn.waitsSince ?? now)
            }
            let isDue = known.probedAt.map { $0 + configuration.refresh <= now } ?? true
            if known.question.demands.contains(.probe) || isDue {
                checks.space(configuration.checksPerSecond, now: now)
                enqueueProbe(endpoint, now: now)
            } else {
                check(endpoint, known, now: now)
            }
        }
    }

    mutating func check(_ endpoint: Endpoint, _ known: ScannedEndpoint, now: ContinuousClock.Instant) {
        guard let answer = known.answer else { return }
        if let next = endpoints[endpoint]?.question.takeCheck(now: now) { return ask(endpoint, at: next) }
        var job = CheckJob(
            endpoint: endpoint,
            number: known.question.number + 1,
            path: answer.path,
            dialect: answer.identity.dialect,
            signature: known.signature,
            connecting: known.connecting,
            isHeld: false
        )
        // While probes wait, sockets are left for them. Those that are held stay: a connection for each check costs several
        // times as much, on both sides.
        let mayHold = budget.waiting == 0 && mayHold(known, now: now)
        let mayStay = known.holding.isHeld && mayStay(known)
        if known.holding.isHeld, !mayStay { releaseHeldConnection(endpoint) }
        if mayStay || mayHold {
            job.isHeld = true
            job.lifetime = known.holding.lifetime
            endpoints[endpoint]?.holding.begin(at: now)
        } else {
            // A check that cannot start, since too many are running, is not a miss.
            guard checks.hasRoom else {
                return ask(endpoint, at: now + Self.retry, waitingSince: known.turn.waitsSince ?? now)
            }
            checks.begin()
        }
        checks.space(configuration.checksPerSecond, now: now)
        open(endpoint, now: now)
        actions.append(.check(job))
    }

    /// Records that a question was asked, and schedules the deadline of its answer.
    mutating func open(_ endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard configuration.watches, let known = endpoints[endpoint],
            let number = endpoints[endpoint]?.question.begin(now: now)
        else { return }
        let allowance = known.question.probing == .none ? .zero : Self.connectionAllowance
        let timeout = known.answerTimeout + allowance
        schedule.insert(
            ScheduledEvent(time: now + timeout, purpose: .answerOverdue(endpoint, question: number))
        )
    }

    // MARK: Answers

    /// Records an answer of a gateway, even without an open question: a late answer over a held connection counts too.
    mutating func answered(
        _ job: CheckJob,
        _ roundTrip: Duration?,
        _ signature: HTTPSignature?,
        now: ContinuousClock.Instant
    ) {
        guard let known = endpoints[job.endpoint], known.answer?.path == job.path else { return }
        if known.question.demands.contains(.afresh), known.question.probing == .none {
            endpoints[job.endpoint]?.question.demands.remove(.afresh)
            endpoints[job.endpoint]?.question.close()
            return ask(job.endpoint, at: now)
        }
        if known.signature == nil { endpoints[job.endpoint]?.signature = signature }
        // Over the same WebSocket it is the same process.
        if signature == nil, job.isHeld, known.tracker.misses > 0 {
            endpoints[job.endpoint]?.question.demands.remove(.probe)
        }
        let isWorthReporting = known.told.isWorthReporting(roundTrip)
        if isWorthReporting { endpoints[job.endpoint]?.told.roundTrip = roundTrip }
        let isNews =
            known.tracker.liveness != .answering || known.question.demands.contains(.report) || isWorthReporting
        if isNews { emit(.liveness(job.endpoint, .answering, roundTrip: roundTrip)) }
        noteAnswer(job.endpoint, now: now)
    }

    /// Records that an endpoint has answered, and schedules the next question.
    mutating func noteAnswer(_ endpoint: Endpoint, now: ContinuousClock.Instant) {
        endpoints[endpoint]?.question.close()
        endpoints[endpoint]?.question.demands.remove(.report)
        endpoints[endpoint]?.told.silence = nil
        silent[endpoint] = nil
        if endpoints[endpoint]?.tracker.answered(at: now) == true {
            endpoints[endpoint]?.turn.triggers.answerChanged()
            protectServices(of: endpoint)
        }
        guard configuration.watches, let known = endpoints[endpoint] else { return }
        ask(endpoint, at: now + interval(of: known, now: now))
    }

    /// Returns the interval between an answer of an endpoint and the next question to it.
    private func interval(of known: ScannedEndpoint, now: ContinuousClock.Instant) -> Duration {
        if known.question.demands.contains(.probe) { return configuration.interval }
        if let since = known.candidates.unwantedSince {
            return now - since < Self.unwantedHold ? pace : configuration.refresh
        }
        return known.leads ? pace : paceBesides(known, now: now)
    }

    /// Records that a check over a connection of its own has ended, with or without an answer.
    mutating func ended(_ job: CheckJob, _ result: LivenessCheckResult, now: ContinuousClock.Instant) {
        checks.end()
        conclude(job, result, now: now)
    }

    private mutating func conclude(_ job: CheckJob, _ result: LivenessCheckResult, now: ContinuousClock.Instant) {
        guard let known = endpoints[job.endpoint], known.answer?.path == job.path else { return }
        switch result {
        case .answered(let roundTrip, let signature):
            answered(job, roundTrip, signature, now: now)
        case .noSocket:
            guard known.question.open?.number == job.number else { return }
            endpoints[job.endpoint]?.question.close()
            ask(job.endpoint, at: now + .seconds(1))
        case .different:
            endpoints[job.endpoint]?.question.demands.insert(.probe)
            guard known.question.open?.number == job.number else { return }
            miss(job.endpoint, next: now, now: now)
        case .flooded:
            flooded(job.endpoint, now: now)
        case .silent, .closed, .refused, .unreachable:
            guard let question = known.question.open, question.number == job.number else { return }
            miss(job.endpoint, next: max(now, question.start + .seconds(1)), now: now)
        }
    }

    /// Records that a held connection has ended.
    mutating func heldConnectionEnded(_ job: CheckJob, _ end: HeldConnectionEnd, now: ContinuousClock.Instant) {
        guard let known = endpoints[job.endpoint], known.holding.isHeld else { return }
        let isAsked = known.question.open != nil && known.question.probing == .none
        endpoints[job.endpoint]?.holding.end(isByPeer: end == .closed && known.signature == nil && !isAsked, at: now)
        switch end {
        case .letGo:
            guard isAsked else { return }
            endpoints[job.endpoint]?.question.close()
            ask(job.endpoint, at: now)
        case .notOpened(let result):
            var latest = job
            latest.number = known.question.open?.number ?? job.number
            conclude(latest, result, now: now)
        case .flooded:
            flooded(job.endpoint, now: now)
        case .different:
            endpoints[job.endpoint]?.question.demands.insert(.probe)
            if isAsked { miss(job.endpoint, next: now, now: now) } else { ask(job.endpoint, at: now) }
        case .closed, .silent:
            // An HTTP server may close the connection after its answer; the end of a WebSocket is that of its process.
            if known.signature != nil, !isAsked { return }
            guard known.question.probing == .none else { return }
            // The first path decides: where that is closed as well, this one is asked at once. A miss would make it a whole
            // probe, and the connections to one address are rationed.
            guard known.leads || isAsked else { return ask(job.endpoint, at: now + .seconds(1)) }
            miss(job.endpoint, next: now + .seconds(1), now: now)
        }
    }

    mutating func releaseHeldConnection(_ endpoint: Endpoint) {
        guard endpoints[endpoint]?.holding.isHeld == true else { return }
        endpoints[endpoint]?.holding.end()
        actions.append(.releaseConnection(endpoint))
    }

    // MARK: Misses

    /// Records that there was no answer in time.
    mutating func overdue(_ endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard let known = endpoints[endpoint], let question = known.question.open else { return }
        let isProbe = known.question.probing != .none
        miss(endpoint, next: max(now, question.start + .seconds(1)), now: now)
        // A probe that goes on counts as one more miss after each further wait.
        if isProbe, endpoints[endpoint]?.tracker.liveness?.isAlive == true { open(endpoint, now: now) }
    }

    /// Records that a whole probe of a known gateway has had no answer.
    mutating func missedProbe(_ endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard configuration.watches, let known = endpoints[endpoint] else { return }
        if known.tracker.liveness == .gone {
            endpoints[endpoint]?.question.close()
            goOn(endpoint, next: now, now: now)
        } else if let question = known.question.open {
            miss(endpoint, next: max(now, question.start + .seconds(1)), now: now)
        } else {
            goOn(endpoint, next: now, now: now)
        }
    }

    private mutating func miss(_ endpoint: Endpoint, next: ContinuousClock.Instant, now: ContinuousClock.Instant) {
        guard configuration.watches, let known = endpoints[endpoint] else { return }
        endpoints[endpoint]?.question.close()
        endpoints[endpoint]?.question.demands.remove(.afresh)
        endpoints[endpoint]?.question.demands.insert(.probe)
        if let liveness = endpoints[endpoint]?.tracker.missed(at: now) {
            endpoints[endpoint]?.turn.triggers.answerChanged()
            emit(.liveness(endpoint, liveness))
            if liveness == .gone { gone(endpoint, known, now: now) }
        }
        if known.tracker.misses == 0, known.leads { actions.append(.reportSilence(endpoint)) }
        // A single miss is no reason to doubt the services.
        if endpoints[endpoint]?.tracker.liveness != .answering { doubtServices(of: endpoint, now: now) }
        goOn(endpoint, next: next, now: now)
    }

    /// Records that an endpoint is silent for so long that its gateway is gone.
    private mutating func gone(_ endpoint: Endpoint, _ known: ScannedEndpoint, now: ContinuousClock.Instant) {
        // A stopped process keeps its connections open. While there is room, one shows its return at once.
        if endpoints.tally.held >= configuration.heldConnections { releaseHeldConnection(endpoint) }
        fellSilent(endpoint, since: known.tracker.answeredAt ?? now)
    }

    /// Sets the time of the next question after a miss.
    private mutating func goOn(_ endpoint: Endpoint, next: ContinuousClock.Instant, now: ContinuousClock.Instant) {
        guard let known = endpoints[endpoint] else { return }
        guard known.tracker.liveness == .gone else {
            if known.question.probing == .none { ask(endpoint, at: next) }
            return
        }
        guard known.isWanted else { return drop(endpoint) }
        guard known.question.probing == .none, let wait = endpoints[endpoint]?.tracker.nextWait() else { return }
        ask(endpoint, at: now + wait)
    }

    /// Records that an endpoint that has answered before no longer does.
    private mutating func fellSilent(_ endpoint: Endpoint, since time: ContinuousClock.Instant) {
        unprotectServices(of: endpoint)
        releaseHeldConnection(endpoint)
        forgetReadiness(of: endpoint)
        if silent.count >= Self.mostRemembered, let oldest = silent.min(by: { $0.value < $1.value })?.key {
            silent[oldest] = nil
            emit(.retired(oldest))
        }
        silent[endpoint] = time
        schedule.insert(
            ScheduledEvent(time: time + Self.memory, purpose: .retire(endpoint, since: time))
        )
    }

    /// Returns the time for which an endpoint behind which no gateway is known waits for its turn. All such endpoints
    /// together are asked about as often as gateways are, so that a forger of thousands of them cannot keep this host
    /// busy. The time is from half to one and a half of an even share, so that endpoints that came together are not
    /// asked together again.
    private func turn(of endpoint: Endpoint) -> Duration {
        let strangers = max(0, endpoints.tally.asked - endpoints.tally.gateways)
        let place = (endpoints[endpoint]?.number ?? 0) % 1_024
        return .seconds(1) * (strangers * (512 + place)) / configuration.checksPerSecond / 1_024
    }
}
