internal import Constellation
internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import HeapModule

/// Asking endpoints what they are.
extension ScanState {
    /// Asks everything again.
    mutating func askAll(now: ContinuousClock.Instant) {
        for endpoint in endpoints.keys.sorted() {
            endpoints[endpoint]?.tracker.hurry()
            enqueueProbe(endpoint, now: now)
        }
    }

    /// Has an endpoint asked what it is, unless it is being asked.
    mutating func enqueueProbe(_ endpoint: Endpoint, now: ContinuousClock.Instant) {
        deferred.remove(endpoint)
        guard let known = endpoints[endpoint], known.probing == .none else { return }
        guard !sessions.contains(endpoint) else {
            endpoints[endpoint]?.isAsked = true
            return
        }
        lastJob += 1
        endpoints[endpoint]?.probing = .waiting(job: lastJob)
        let standing = silent[endpoint] == nil ? known.standing : .answered
        budget.enqueue(
            ProbeBudget.Entry(
                endpoint: endpoint,
                job: lastJob,
                connections: known.target.mostConnections,
                standing: standing,
                host: standing <= .manual ? nil : known.candidates.first?.host
            )
        )
        if known.answer == nil { arrived.append(WaitingProbe(since: now, endpoint: endpoint, job: lastJob)) }
    }

    mutating func startProbes(now: ContinuousClock.Instant) {
        guard budget.waiting > 0 else { return }
        // Taken out, since it is asked about what is in here.
        var budget = ProbeBudget()
        swap(&budget, &self.budget)
        while let entry = budget.next(at: now, isWanted: { endpoints[$0.endpoint]?.probing == .waiting(job: $0.job) }) {
            start(entry, now: now)
        }
        let blocked = budget.takeBlocked()
        for (group, time) in blocked {
            schedule.insert(ScheduledEvent(time: time, purpose: .budgetFreed(group)))
        }
        if !blocked.isEmpty { lookAtWaitingAgain() }
        swap(&budget, &self.budget)
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
        running[job.id] = (job, entry)
        endpoints[entry.endpoint]?.probing = .running(job: job.id)
        endpoints[entry.endpoint]?.asksAgain = false
        if known.answer != nil { open(entry.endpoint, now: now) }
        actions.append(.probe(job))
    }

    // MARK: End

    /// A probe has ended.
    mutating func ended(_ id: Int, report: GatewayProbeReport, now: ContinuousClock.Instant) {
        guard let (job, entry) = running.removeValue(forKey: id) else { return }
        let used = report.connections(to: [job.endpoint]).values.reduce(0, +)
        budget.end(entry, used: used, at: now)
        guard endpoints[job.endpoint]?.probing == .running(job: id) else { return }
        endpoints[job.endpoint]?.probing = .none
        let outcome = ProbeOutcome(report)
        if endpoints[job.endpoint]?.isOutdated == true {
            endpoints[job.endpoint]?.isOutdated = false
            if let identity = outcome.identity, endpoints[job.endpoint]?.answer?.identity.isSame(as: identity) == true {
                endpoints[job.endpoint]?.openQuestion = nil
                return enqueueProbe(job.endpoint, now: now)
            }
        }
        if let path = report.path, let identity = outcome.identity {
            learn(path, identity, outcome, report, now: now)
        } else if case .nothing(.noSocket) = outcome {
            postpone(job.endpoint, now: now)
        } else if case .nothing(.wrongLeaf) = outcome {
            // Nobody was asked, since somebody else has the port.
            learnNone(job.endpoint, outcome, now: now)
        } else if case .nothing = outcome, endpoints[job.endpoint]?.answer != nil {
            missedProbe(job.endpoint, now: now)
        } else {
            learnNone(job.endpoint, outcome, now: now)
        }
        if endpoints[job.endpoint]?.asksAgain == true { enqueueProbe(job.endpoint, now: now) }
        askDeferred(besides: job.endpoint, now: now)
    }

    /// Asks the link-local addresses that have waited for this one.
    private mutating func askDeferred(besides endpoint: Endpoint, now: ContinuousClock.Instant) {
        guard !deferred.isEmpty else { return }
        for candidate in endpoints[endpoint]?.candidates ?? [] {
            guard case .service(let instance) = candidate.key else { continue }
            for other in endpointsByService[instance] ?? [] where deferred.contains(other) {
                enqueueProbe(other, now: now)
            }
        }
    }

    /// There was no socket: it has not been asked, and says nothing about what is there.
    private mutating func postpone(_ endpoint: Endpoint, now: ContinuousClock.Instant) {
        endpoints[endpoint]?.openQuestion = nil
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
        // A question over a held connection that was not answered: that connection leads to nobody any more.
        if former.isHeld, isAnother || former.tracker.misses > 0 { releaseHeldConnection(endpoint) }
        forgetAnswer(former.answer, at: endpoint)
        endpoints[endpoint]?.answer = answer
        endpoints[endpoint]?.isKnownBySession = false
        endpoints[endpoint]?.signature = nil
        endpoints[endpoint]?.connecting = report.connecting
        endpoints[endpoint]?.needsProbe = false
        endpoints[endpoint]?.probedAt = now
        endpoints[endpoint]?.isAsked = true
        endpoints[endpoint]?.reportedRoundTrip = report.roundTrip ?? former.reportedRoundTrip
        if isAnother {
            forgetFlood(of: endpoint)
            endpoints[endpoint]?.isPrimary = true
            endpoints[endpoint]?.siblings = []
        }
        if former.answer != answer { endpoints[endpoint]?.triggers.answerChanged() }
        if former.machine == nil || isAnother { locate(endpoint) }
        if let fingerprint = identity.fingerprint {
            if former.answer == nil || isAnother { callOthers(of: fingerprint, than: endpoint, now: now) }
            answersByFingerprint[fingerprint, default: []].insert(endpoint)
        }
        emit(.probed(endpoint, outcome, roundTrip: report.roundTrip))
        if former.answer == nil {
            replaceRenamed(by: endpoint)
            callReplaced(by: endpoint, identity, now: now)
        }
        noteAnswer(endpoint, now: now)
        // The second answer of what may have replaced another one says whether its records have followed.
        if former.answer == nil || isAnother { endpoints[endpoint]?.owesNews = true }
        // What has changed at one address is not believed to have changed at the others before they were asked.
        if let before = former.answer, before.identity != identity {
            for other in former.siblings where endpoints[other]?.tracker.liveness?.isAlive == true {
                // One of them that has said so already is not asked back.
                guard endpoints[other]?.answer?.identity != identity else { continue }
                noteOutdated(other)
                endpoints[other]?.needsProbe = true
                ask(other, at: now)
            }
        }
    }

    /// Notes that what is under way at an endpoint was asked before something has changed.
    private mutating func noteOutdated(_ endpoint: Endpoint) {
        guard endpoints[endpoint]?.probing.isRunning == true || endpoints[endpoint]?.openQuestion != nil else { return }
        endpoints[endpoint]?.isOutdated = true
    }

    /// Tells which machine has an endpoint's address, where this host knows it.
    private mutating func locate(_ endpoint: Endpoint) {
        let machine = networks.machine(of: endpoint.address)
        guard machine != endpoints[endpoint]?.machine else { return }
        endpoints[endpoint]?.machine = machine
        emit(.located(endpoint, machine))
    }

    /// Has the other endpoints that answer with this fingerprint heard first, unless a candidate points both at them
    /// and at this one.
    private mutating func callOthers(
        of fingerprint: GatewayFingerprint,
        than endpoint: Endpoint,
        now: ContinuousClock.Instant
    ) {
        let keys = Set((endpoints[endpoint]?.candidates ?? []).map(\.key))
        for other in (answersByFingerprint[fingerprint] ?? []).sorted() where other != endpoint {
            guard endpoints[other]?.candidates.contains(where: { keys.contains($0.key) }) != true else { continue }
            owe(other, now: now)
        }
    }

    /// Has the endpoints asked anew at whose port of the same machine another gateway of the same service has answered: it may
    /// have taken their place.
    private mutating func callReplaced(by endpoint: Endpoint, _ identity: GatewayIdentity, now: ContinuousClock.Instant)
    {
        guard let known = endpoints[endpoint], known.machine != nil else { return }
        for candidate in known.candidates {
            guard case .service(let instance) = candidate.key else { continue }
            for other in endpointsByService[instance] ?? [] where other.port == endpoint.port && other != endpoint {
                guard endpoints[other]?.machine == known.machine, let answer = endpoints[other]?.answer,
                    !answer.identity.isSame(as: identity)
                else { continue }
                endpoints[other]?.owesNews = true
                noteOutdated(other)
                hurry(other, isProbe: true, now: now)
            }
        }
    }

    /// Something else answers than a gateway, or nothing does where none is known.
    private mutating func learnNone(_ endpoint: Endpoint, _ outcome: ProbeOutcome, now: ContinuousClock.Instant) {
        guard let former = endpoints[endpoint] else { return }
        emit(.probed(endpoint, outcome))
        endWordOfSession(on: former)
        endpoints[endpoint]?.isAsked = true
        endpoints[endpoint]?.needsProbe = false
        endpoints[endpoint]?.openQuestion = nil
        let wasGateway = former.answer != nil
        if wasGateway {
            forgetFlood(of: endpoint)
            forgetAnswer(former.answer, at: endpoint)
            releaseHeldConnection(endpoint)
            endpoints[endpoint]?.answer = nil
            endpoints[endpoint]?.tracker = LivenessTracker()
            endpoints[endpoint]?.isPrimary = true
            endpoints[endpoint]?.siblings = []
            endpoints[endpoint]?.triggers.answerChanged()
            unprotectServices(of: endpoint)
        }
        guard endpoints[endpoint]?.isWanted == true else { return drop(endpoint) }
        if outcome.isSilence { doubtServices(of: endpoint, now: now) }
        guard configuration.watches, let wait = endpoints[endpoint]?.tracker.nextWait() else { return }
        // Neither what the user entered nor what has just been a gateway waits its turn among strangers.
        ask(endpoint, at: now + wait, waitingSince: former.isManual || wasGateway ? nil : now)
    }
}

extension ProbeOutcome {
    /// Indicates whether nobody is there, as far as can be seen.
    fileprivate var isSilence: Bool {
        switch self {
        case .nothing(.refused), .nothing(.noAnswer), .nothing(.unreachable): true
        case .nothing, .gateway, .somethingElse: false
        }
    }
}
