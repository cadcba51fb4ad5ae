internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import HeapModule

/// The gateway probes of endpoints.
extension ScanState {
    /// Probes every endpoint again.
    mutating func askAll(now: ContinuousClock.Instant) {
        for endpoint in endpoints.keys.sorted() {
            endpoints[endpoint]?.tracker.restartBackOff()
            enqueueProbe(endpoint, now: now)
        }
    }

    /// Puts a probe of an endpoint into the queue, unless one is waiting or running.
    mutating func enqueueProbe(_ endpoint: Endpoint, now: ContinuousClock.Instant) {
        deferred.remove(endpoint)
        guard let known = endpoints[endpoint], known.question.probing == .none else { return }
        guard !sessions.contains(endpoint) else {
            endpoints[endpoint]?.question.isAsked = true
            return
        }
        let number = jobs.nextNumber()
        endpoints[endpoint]?.question.probing = .waiting(job: number)
        let standing = silent[endpoint] == nil ? known.standing : .answered
        budget.enqueue(
            ProbeBudget.Entry(
                endpoint: endpoint,
                job: number,
                connections: known.target.mostConnections,
                standing: standing,
                host: standing <= .manual ? nil : known.candidates.all.first?.host
            )
        )
        if known.answer == nil { jobs.wait(WaitingProbe(since: now, endpoint: endpoint, job: number)) }
    }

    mutating func startProbes(now: ContinuousClock.Instant) {
        guard budget.waiting > 0 else { return }
        // Taken out, since the closure reads `self` while this is changed.
        var budget = ProbeBudget()
        swap(&budget, &self.budget)
        while let entry = budget.next(at: now, isWanted: { isAwaited($0) }) {
            if readiness.isWaiting(entry.endpoint, job: entry.job) {
                startReadiness(entry, now: now)
            } else {
                start(entry, now: now)
            }
        }
        let blocked = budget.takeBlocked()
        for (group, time) in blocked {
            schedule.insert(ScheduledEvent(time: time, purpose: .budgetFreed(group)))
        }
        // Some of those that wait may wait because of their address now, and not for others.
        if !blocked.isEmpty { jobs.lookAgain() }
        swap(&budget, &self.budget)
    }

    /// Indicates whether a probe or another question still waits for its turn.
    private func isAwaited(_ entry: ProbeBudget.Entry) -> Bool {
        isWaiting(entry.endpoint, job: entry.job) || readiness.isWaiting(entry.endpoint, job: entry.job)
    }

    private mutating func start(_ entry: ProbeBudget.Entry, now: ContinuousClock.Instant) {
        guard let known = endpoints[entry.endpoint] else { return }
        var question = known.target
        question.pin = pins[entry.endpoint]
        let job = ProbeJob(
            id: entry.job,
            endpoint: entry.endpoint,
            question: question,
            connections: entry.connections,
            standing: entry.standing
        )
        jobs.begin(job, entry)
        endpoints[entry.endpoint]?.question.probing = .running(job: job.id)
        endpoints[entry.endpoint]?.question.demands.remove(.again)
        if known.answer != nil { open(entry.endpoint, now: now) }
        actions.append(.probe(job))
    }

    // MARK: End

    /// Takes in the report of a probe that has ended.
    mutating func ended(_ id: Int, report: GatewayProbeReport, now: ContinuousClock.Instant) {
        guard let (job, entry) = jobs.end(id) else { return }
        let used = report.connections(to: [job.endpoint]).values.reduce(0, +)
        budget.end(entry, used: used, at: now)
        guard endpoints[job.endpoint]?.question.probing == .running(job: id) else { return }
        endpoints[job.endpoint]?.question.probing = .none
        let outcome = outcome(of: report, at: job.endpoint)
        if endpoints[job.endpoint]?.question.demands.contains(.afresh) == true {
            endpoints[job.endpoint]?.question.demands.remove(.afresh)
            if let identity = outcome.identity, endpoints[job.endpoint]?.answer?.identity.isSame(as: identity) == true {
                endpoints[job.endpoint]?.question.close()
                return enqueueProbe(job.endpoint, now: now)
            }
        }
        if let path = report.path, let identity = outcome.identity {
            learn(path, identity, outcome, report, now: now)
        } else if case .nothing(.noSocket) = outcome {
            postpone(job.endpoint, now: now)
        } else if case .nothing(.wrongLeaf) = outcome {
            // No question was sent, since the port belongs to a server with another leaf.
            learnNone(job.endpoint, outcome, now: now)
        } else if case .nothing = outcome, endpoints[job.endpoint]?.answer != nil {
            noteSilence(of: job.endpoint, outcome)
            missedProbe(job.endpoint, now: now)
        } else {
            learnNone(job.endpoint, outcome, now: now)
        }
        if endpoints[job.endpoint]?.question.demands.contains(.again) == true { enqueueProbe(job.endpoint, now: now) }
        askDeferred(besides: job.endpoint, now: now)
    }

    /// Returns what a report says of an endpoint. Two answers of something else count as a missed answer of a known gateway,
    /// since they do not show that something else has its place: an error of a web server, the front of a gateway that has
    /// ended and may be back at any time; and a WebSocket on which no gateway has answered, as of one whose process ends
    /// during the probe. Whoever offers such a WebSocket every time has the place once the gateway is gone.
    private func outcome(of report: GatewayProbeReport, at endpoint: Endpoint) -> ProbeOutcome {
        let outcome = ProbeOutcome(report)
        guard case .somethingElse(let answer) = outcome, configuration.watches, let known = endpoints[endpoint],
            known.answer != nil
        else { return outcome }
        if let status = answer.failureStatus { return .nothing(.noGateway(status: status)) }
        return answer.beginsWithUpgrade && known.tracker.liveness?.isAlive == true ? .nothing(.closed) : outcome
    }

    /// Reports to the map what was found in place of a gateway, if that has changed: a web server alone, or the reason why
    /// nothing answers, which is left out if it only takes too long.
    private mutating func noteSilence(of endpoint: Endpoint, _ outcome: ProbeOutcome) {
        guard let known = endpoints[endpoint], case .nothing(let reason) = outcome else { return }
        let silence = reason.inPlaceOfGateway
        guard known.told.silence != silence else { return }
        endpoints[endpoint]?.told.silence = silence
        emit(.probed(endpoint, outcome))
    }

    /// Asks the other addresses that have waited for this one, whose service leads to it without the name that it may have.
    private mutating func askDeferred(besides endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard !deferred.isEmpty else { return }
        var candidates = endpoints[endpoint]?.candidates.all ?? []
        if endpoint.serverName != nil { candidates += endpoints[endpoint.unnamed]?.candidates.all ?? [] }
        for candidate in candidates {
            guard case .service(let instance) = candidate.key else { continue }
            for other in services.endpoints[instance] ?? [] where deferred.contains(other) {
                enqueueProbe(other, now: now)
            }
        }
    }

    /// Puts off a probe for which there was no socket: the endpoint has not been asked, and nothing is known about it.
    private mutating func postpone(_ endpoint: Endpoint, now: ContinuousClock.Instant) {
        endpoints[endpoint]?.question.close()
        if endpoints[endpoint]?.answer == nil, !sessions.contains(endpoint) { emit(.waiting(endpoint, .noSocket)) }
        ask(endpoint, at: now + .seconds(1))
    }

    private mutating func learn(
        _ path: GatewayProbePath,
        _ identity: GatewayIdentity,
        _ outcome: ProbeOutcome,
        _ report: GatewayProbeReport,
        now: ContinuousClock.Instant
    ) {
        let endpoint = path.endpoint
        guard let former = endpoints[endpoint] else { return }
        let answer = ScannedEndpoint.Answer(path: path, identity: identity)
        let isAnother = former.answer.map { !$0.identity.isSame(as: identity) } ?? false
        // After a missed answer, or if another gateway is there now, a held connection leads nowhere any more.
        if former.holding.isHeld, isAnother || former.tracker.misses > 0 { releaseHeldConnection(endpoint) }
        endpoints[endpoint]?.answer = answer
        endpoints[endpoint]?.told.isKnownBySession = false
        endpoints[endpoint]?.signature = nil
        endpoints[endpoint]?.connecting = report.connecting
        endpoints[endpoint]?.question.demands.remove(.probe)
        endpoints[endpoint]?.probedAt = now
        endpoints[endpoint]?.question.isAsked = true
        endpoints[endpoint]?.told.roundTrip = report.roundTrip ?? former.told.roundTrip
        if isAnother {
            forgetFlood(of: endpoint)
            endpoints[endpoint]?.leads = true
        }
        if former.answer != answer { endpoints[endpoint]?.turn.triggers.answerChanged() }
        // Another machine may have its address by now; that the kernel does not know says nothing.
        let isAtAnother = former.tracker.misses > 0 && networks.machine(of: endpoint.address) != nil
        if former.told.machine == nil || isAnother || isAtAnother { locate(endpoint) }
        showSought(endpoint)
        emit(.probed(endpoint, outcome, roundTrip: report.roundTrip))
        if former.answer == nil { replaceRenamed(by: endpoint) }
        noteAnswer(endpoint, now: now)
        noteReadiness(
            of: identity,
            on: path,
            connecting: report.connecting,
            isNews: isAnother || former.tracker.liveness != .answering || former.tracker.misses > 0,
            now: now
        )
    }

    /// Indicates whether a gateway has answered at an endpoint, and has left the last question there unanswered.
    func isReturning(_ endpoint: Endpoint) -> Bool {
        endpoints[endpoint].map { $0.answer != nil && $0.tracker.misses > 0 } ?? false
    }

    /// Reports the machine that has an endpoint's address, if this host knows another one than before.
    private mutating func locate(_ endpoint: Endpoint) {
        let machine = networks.machine(of: endpoint.address)
        guard machine != endpoints[endpoint]?.told.machine else { return }
        endpoints[endpoint]?.told.machine = machine
        emit(.located(endpoint, machine))
    }

    /// Records that something other than a gateway answers, or that nothing does where no gateway is known.
    private mutating func learnNone(_ endpoint: Endpoint, _ outcome: ProbeOutcome, now: ContinuousClock.Instant) {
        guard let former = endpoints[endpoint] else { return }
        let isOnlySought = isOnlySought(endpoint)
        if !isOnlySought { emit(.probed(endpoint, outcome)) }
        endSessionLiveness(of: former)
        endpoints[endpoint]?.question.isAsked = true
        concludeSearch(at: endpoint)
        if former.told.silence != nil { endpoints[endpoint]?.told.silence = nil }
        endpoints[endpoint]?.question.demands.remove(.probe)
        endpoints[endpoint]?.question.close()
        forgetReadiness(of: endpoint)
        let wasGateway = former.answer != nil
        if wasGateway {
            forgetFlood(of: endpoint)
            releaseHeldConnection(endpoint)
            endpoints[endpoint]?.answer = nil
            endpoints[endpoint]?.tracker = LivenessTracker()
            endpoints[endpoint]?.leads = true
            endpoints[endpoint]?.turn.triggers.answerChanged()
            unprotectServices(of: endpoint)
        }
        guard endpoints[endpoint]?.isWanted == true else { return drop(endpoint) }
        if outcome.isSilence { doubtServices(of: endpoint, now: now) }
        guard configuration.watches, var wait = endpoints[endpoint]?.tracker.nextWait() else { return }
        if isOnlySought, manual.sought.isOnlyFound(endpoint) { wait = max(wait, Self.foundPause) }
        // An endpoint that the user entered, or that has just been a gateway, does not wait its turn among strangers.
        ask(endpoint, at: now + wait, waitingSince: former.candidates.isManual || wasGateway ? nil : now)
    }
}

extension ProbeOutcome {
    /// Indicates whether nothing is there, as far as can be seen.
    fileprivate var isSilence: Bool {
        switch self {
        case .nothing(.refused), .nothing(.noAnswer), .nothing(.unreachable): true
        case .nothing, .gateway, .somethingElse: false
        }
    }
}
