internal import Constellation
internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import HeapModule

/// The liveness checks of gateways.
extension ScanState {
    /// The maximum number of checks of one endpoint in a minute.
    private static let mostChecks = 40

    /// The maximum number of concurrent checks that are not over a held connection.
    private static let checksAtOnce = 32

    /// The time after which a check is tried again that could not start, since too many were running.
    private static let retry = Duration.milliseconds(100)

    /// The additional time for which the answer to a probe is waited for: the first packet of its connection may be
    /// lost, and is sent again after a second (RFC 6298 §2.1).
    private static let connectionAllowance = Duration.milliseconds(250)

    /// The interval at which the first path of each gateway is checked.
    var pace: Duration {
        max(configuration.interval, .seconds(1) * endpoints.tally.primaries / configuration.checksPerSecond)
    }

    // MARK: Questions

    /// Asks an endpoint whose time has come.
    mutating func look(at endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard let known = endpoints[endpoint] else { return }
        endpoints[endpoint]?.scheduledAt = nil
        guard !sessions.contains(endpoint), configuration.watches else { return enqueueProbe(endpoint, now: now) }
        switch known.tracker.liveness {
        case nil:
            if let since = known.waitsSince, case let time = since + turn(of: endpoint), now < time {
                // Its turn may come sooner, since there may be fewer such endpoints by then.
                ask(endpoint, at: min(time, now + LivenessTracker.longestWait), waitingSince: since)
            } else {
                enqueueProbe(endpoint, now: now)
            }
        case .gone:
            if known.isWanted { enqueueProbe(endpoint, now: now) } else { drop(endpoint) }
        case .answering, .suspect:
            // The end of the running probe or check decides when to ask next.
            guard known.probing == .none, known.openQuestion == nil else {
                if known.needsProbe { endpoints[endpoint]?.asksAgain = known.probing != .none }
                return
            }
            if let nextCheckTime, now < nextCheckTime {
                return ask(endpoint, at: nextCheckTime, waitingSince: known.waitsSince ?? now)
            }
            let isDue = known.probedAt.map { $0 + configuration.refresh <= now } ?? true
            if known.needsProbe || isDue {
                space(now: now)
                enqueueProbe(endpoint, now: now)
            } else {
                check(endpoint, known, now: now)
            }
        }
    }

    private mutating func space(now: ContinuousClock.Instant) {
        nextCheckTime = max(nextCheckTime ?? now, now) + .seconds(1) / configuration.checksPerSecond
    }

    private mutating func check(_ endpoint: Endpoint, _ known: ScannedEndpoint, now: ContinuousClock.Instant) {
        guard let answer = known.answer else { return }
        if let (start, count) = known.checks, now < start + .seconds(60) {
            guard count < Self.mostChecks else { return ask(endpoint, at: start + .seconds(60)) }
            endpoints[endpoint]?.checks = (start, count + 1)
        } else {
            endpoints[endpoint]?.checks = (now, 1)
        }
        var job = CheckJob(
            endpoint: endpoint,
            number: known.question + 1,
            path: answer.path,
            dialect: answer.identity.dialect,
            signature: known.signature,
            connecting: known.connecting,
            isHeld: false
        )
        // While probes wait, sockets are left for them.
        let isTooMany = endpoints.tally.primaries > configuration.heldConnections
        let mayStay = known.isHeld && !isTooMany
        if known.isHeld, !mayStay { releaseHeldConnection(endpoint) }
        let mayHold =
            !isTooMany && known.isPrimary && budget.waiting == 0 && job.livenessCheck.canBeHeld
            && known.holdsAgain.map { $0.time <= now } ?? true
        if mayStay || mayHold {
            job.isHeld = true
            endpoints[endpoint]?.isHeld = true
        } else {
            // A check that cannot start, since too many are running, is not a miss.
            guard runningChecks < Self.checksAtOnce else {
                return ask(endpoint, at: now + Self.retry, waitingSince: known.waitsSince ?? now)
            }
            runningChecks += 1
        }
        space(now: now)
        open(endpoint, now: now)
        actions.append(.check(job))
    }

    /// Records that a question was asked, and schedules the deadline of its answer.
    mutating func open(_ endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard configuration.watches, let known = endpoints[endpoint] else { return }
        let number = known.question + 1
        let timeout = known.probing == .none ? known.answerTimeout : known.answerTimeout + Self.connectionAllowance
        endpoints[endpoint]?.question = number
        endpoints[endpoint]?.openQuestion = (number, now)
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
        if known.isOutdated, known.probing == .none {
            endpoints[job.endpoint]?.isOutdated = false
            endpoints[job.endpoint]?.openQuestion = nil
            return ask(job.endpoint, at: now)
        }
        if known.signature == nil { endpoints[job.endpoint]?.signature = signature }
        // Over the same WebSocket it is the same process.
        if signature == nil, job.isHeld, known.tracker.misses > 0 { endpoints[job.endpoint]?.needsProbe = false }
        let isWorthReporting = known.isWorthReporting(roundTrip)
        if isWorthReporting { endpoints[job.endpoint]?.reportedRoundTrip = roundTrip }
        let isNews = known.tracker.liveness != .answering || known.mustReportNextAnswer || isWorthReporting
        if isNews { emit(.liveness(job.endpoint, .answering, roundTrip: roundTrip)) }
        noteAnswer(job.endpoint, now: now)
    }

    /// Records that an endpoint has answered, and schedules the next question.
    mutating func noteAnswer(_ endpoint: Endpoint, now: ContinuousClock.Instant) {
        endpoints[endpoint]?.openQuestion = nil
        endpoints[endpoint]?.mustReportNextAnswer = false
        silent[endpoint] = nil
        if endpoints[endpoint]?.tracker.answered(at: now) == true {
            endpoints[endpoint]?.triggers.answerChanged()
            protectServices(of: endpoint)
        }
        guard configuration.watches, let known = endpoints[endpoint] else { return }
        ask(endpoint, at: now + interval(of: known, now: now))
    }

    /// Returns the interval between an answer of an endpoint and the next question to it.
    private func interval(of known: ScannedEndpoint, now: ContinuousClock.Instant) -> Duration {
        if known.needsProbe { return configuration.interval }
        if let since = known.unwantedSince { return now - since < Self.grace ? pace : configuration.refresh }
        return known.isPrimary ? pace : configuration.refresh
    }

    /// Records that a check over a connection of its own has ended, with or without an answer.
    mutating func ended(_ job: CheckJob, _ result: LivenessCheckResult, now: ContinuousClock.Instant) {
        runningChecks -= 1
        conclude(job, result, now: now)
    }

    private mutating func conclude(_ job: CheckJob, _ result: LivenessCheckResult, now: ContinuousClock.Instant) {
        guard let known = endpoints[job.endpoint], known.answer?.path == job.path else { return }
        switch result {
        case .answered(let roundTrip, let signature):
            answered(job, roundTrip, signature, now: now)
        case .noSocket:
            guard known.openQuestion?.number == job.number else { return }
            endpoints[job.endpoint]?.openQuestion = nil
            ask(job.endpoint, at: now + .seconds(1))
        case .different:
            endpoints[job.endpoint]?.needsProbe = true
            guard known.openQuestion?.number == job.number else { return }
            miss(job.endpoint, next: now, now: now)
        case .flooded:
            flooded(job.endpoint, now: now)
        case .silent, .closed, .refused, .unreachable:
            guard let question = known.openQuestion, question.number == job.number else { return }
            miss(job.endpoint, next: max(now, question.start + .seconds(1)), now: now)
        }
    }

    /// Records that a held connection has ended.
    mutating func heldConnectionEnded(_ job: CheckJob, _ end: HeldConnectionEnd, now: ContinuousClock.Instant) {
        guard let known = endpoints[job.endpoint], known.isHeld else { return }
        endpoints[job.endpoint]?.isHeld = false
        let isAsked = known.openQuestion != nil && known.probing == .none
        switch end {
        case .letGo:
            guard isAsked else { return }
            endpoints[job.endpoint]?.openQuestion = nil
            ask(job.endpoint, at: now)
        case .notOpened(let result):
            var latest = job
            latest.number = known.openQuestion?.number ?? job.number
            conclude(latest, result, now: now)
        case .flooded:
            flooded(job.endpoint, now: now)
        case .different:
            endpoints[job.endpoint]?.needsProbe = true
            if isAsked { miss(job.endpoint, next: now, now: now) } else { ask(job.endpoint, at: now) }
        case .closed, .silent:
            // An HTTP server may close the connection after its answer; the end of a WebSocket is that of its process.
            if known.signature != nil, !isAsked { return }
            guard known.probing == .none else { return }
            miss(job.endpoint, next: now + .seconds(1), now: now)
        }
    }

    mutating func releaseHeldConnection(_ endpoint: Endpoint) {
        guard endpoints[endpoint]?.isHeld == true else { return }
        endpoints[endpoint]?.isHeld = false
        actions.append(.releaseConnection(endpoint))
    }

    // MARK: Misses

    /// Records that there was no answer in time.
    mutating func overdue(_ endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard let known = endpoints[endpoint], let question = known.openQuestion else { return }
        let isProbe = known.probing != .none
        miss(endpoint, next: max(now, question.start + .seconds(1)), now: now)
        // A probe that goes on counts as one more miss after each further wait.
        if isProbe, endpoints[endpoint]?.tracker.liveness?.isAlive == true { open(endpoint, now: now) }
    }

    /// Records that a whole probe of a known gateway has had no answer.
    mutating func missedProbe(_ endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard configuration.watches, let known = endpoints[endpoint] else { return }
        if known.tracker.liveness == .gone {
            endpoints[endpoint]?.openQuestion = nil
            goOn(endpoint, next: now, now: now)
        } else if let question = known.openQuestion {
            miss(endpoint, next: max(now, question.start + .seconds(1)), now: now)
        } else {
            goOn(endpoint, next: now, now: now)
        }
    }

    private mutating func miss(_ endpoint: Endpoint, next: ContinuousClock.Instant, now: ContinuousClock.Instant) {
        guard configuration.watches, let known = endpoints[endpoint] else { return }
        endpoints[endpoint]?.openQuestion = nil
        endpoints[endpoint]?.isOutdated = false
        endpoints[endpoint]?.needsProbe = true
        if let liveness = endpoints[endpoint]?.tracker.missed(at: now) {
            endpoints[endpoint]?.triggers.answerChanged()
            emit(.liveness(endpoint, liveness))
            if liveness == .gone { fellSilent(endpoint, since: known.tracker.answeredAt ?? now) }
        }
        if known.tracker.misses == 0, known.isPrimary { askSiblings(of: known, now: now) }
        // A single miss is no reason to doubt the services.
        if endpoints[endpoint]?.tracker.liveness != .answering { doubtServices(of: endpoint, now: now) }
        goOn(endpoint, next: next, now: now)
    }

    /// Asks a gateway at its other addresses: where one is silent, another one may answer, even if it was long gone.
    mutating func askSiblings(of known: ScannedEndpoint, now: ContinuousClock.Instant) {
        for other in known.siblings where endpoints[other]?.tracker.liveness != nil { ask(other, at: now) }
    }

    /// Sets the time of the next question after a miss.
    private mutating func goOn(_ endpoint: Endpoint, next: ContinuousClock.Instant, now: ContinuousClock.Instant) {
        guard let known = endpoints[endpoint] else { return }
        guard known.tracker.liveness == .gone else {
            if known.probing == .none { ask(endpoint, at: next) }
            return
        }
        guard known.isWanted else { return drop(endpoint) }
        guard known.probing == .none, let wait = endpoints[endpoint]?.tracker.nextWait() else { return }
        ask(endpoint, at: now + wait)
    }

    /// Records that an endpoint that has answered before no longer does.
    private mutating func fellSilent(_ endpoint: Endpoint, since time: ContinuousClock.Instant) {
        unprotectServices(of: endpoint)
        releaseHeldConnection(endpoint)
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
