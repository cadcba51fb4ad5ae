internal import BotMap
internal import DNSSD
internal import GatewayProtocol
internal import Gateways
internal import HeapModule

extension ScanState {
    /// Asks everything again.
    mutating func askAll() {
        for id in targets.keys.sorted() {
            targets[id]?.tracker.hurry()
            ask(id, targets[id]?.isAsked == true ? .again : .first)
        }
    }

    /// Asks a target what it is, unless probes of it wait or run.
    ///
    /// - Returns: Whether it will be asked.
    @discardableResult
    mutating func ask(_ id: Int, _ reason: ProbeJob.Reason) -> Bool {
        guard let target = targets[id], target.probes == 0 else { return false }
        // What has answered is asked where it did; the rest of its addresses race.
        let endpoints: [Endpoint]
        if let primary = target.primary, target.tracker.liveness == .answering {
            endpoints = [primary]
        } else {
            endpoints = target.racing
        }
        targets[id]?.tried = Set(endpoints)
        enqueue(id, reason, endpoints)
        return true
    }

    /// Asks those addresses that did not race, or came later.
    ///
    /// - Returns: Whether there are any.
    private mutating func askUntried(_ id: Int, _ reason: ProbeJob.Reason) -> Bool {
        guard let target = targets[id] else { return false }
        let untried = target.endpoints.filter { !target.tried.contains($0) }.prefix(Self.racers)
        targets[id]?.tried.formUnion(untried)
        enqueue(id, reason, Array(untried))
        return !untried.isEmpty
    }

    /// Asks the addresses of a target that has answered at another one.
    mutating func askOthers(of id: Int, _ endpoints: some Sequence<Endpoint>) {
        for endpoint in Set(endpoints).sorted() { enqueue(id, .otherAddress, [endpoint]) }
    }

    private mutating func enqueue(_ id: Int, _ reason: ProbeJob.Reason, _ endpoints: [Endpoint]) {
        guard let target = targets[id], !endpoints.isEmpty else { return }
        lastJob += 1
        targets[id]?.probes += 1
        waiting.append(ProbeJob(id: lastJob, target: id, reason: reason, question: target.question(for: endpoints)))
    }

    /// Puts a probe that had to wait into the queue.
    mutating func requeue(_ job: ProbeJob) {
        waiting.append(job)
    }

    // MARK: Begin

    mutating func startProbes(now: ContinuousClock.Instant) {
        while let job = waiting.popFirst() {
            // Its services are gone meanwhile.
            guard targets[job.target] != nil else { continue }
            let verdict = budget.begin(
                job.addresses,
                connections: job.question.mostConnections,
                keeping: Self.keptForChecks,
                at: now
            )
            switch verdict {
            case .begin:
                running[job.id] = job
                actions.append(.probe(job))
            case .afterAnother(nil):
                waiting.putBack(job)
                return
            case .afterAnother(let address?):
                blocked[address, default: []].append(job)
            case .after(let time):
                targets[job.target]?.isPutOff = true
                appointments.insert(Appointment(time: time, purpose: .retry(job)))
            }
        }
    }

    // MARK: End

    /// A probe has ended.
    mutating func ended(_ id: Int, report: GatewayProbeReport, now: ContinuousClock.Instant) {
        guard let job = running.removeValue(forKey: id) else { return }
        budget.end(
            job.addresses,
            reserved: job.question.mostConnections,
            used: report.connections(to: job.question.endpoints),
            at: now
        )
        unblock(job.addresses)
        guard targets[job.target] != nil else { return }
        targets[job.target]?.probes -= 1
        learn(report, from: job, now: now)
    }

    /// Some work at these addresses has ended.
    mutating func unblock(_ addresses: [IPAddress]) {
        for address in Set(addresses.map(\.unmapped)) {
            for job in blocked.removeValue(forKey: address) ?? [] { requeue(job) }
        }
    }

    private mutating func learn(_ report: GatewayProbeReport, from job: ProbeJob, now: ContinuousClock.Instant) {
        let id = job.target
        let outcome = ProbeOutcome(report)
        // Its address has changed while it was asked.
        let endpoints = targets[id]?.endpoints ?? []
        let stillThere = { (endpoint: Endpoint) in endpoints.contains(endpoint) }
        if let path = report.path, let identity = outcome.identity {
            guard stillThere(path.endpoint) else {
                ask(id, job.reason)
                return
            }
            let former = targets[id]?.answers.updateValue(
                ScanTarget.Answer(path: path, identity: identity),
                forKey: path.endpoint
            )
            if job.reason == .otherAddress {
                tell(.liveness(path.endpoint, .answering, roundTrip: report.roundTrip))
            } else {
                answered(id, path.endpoint, report.roundTrip, isProbe: true, now: now)
                let refreshTime = now + configuration.refresh
                targets[id]?.refreshTime = refreshTime
                // What has changed at one address is not believed to have changed at the others before they were asked.
                let hasChanged = former.map { $0.identity != identity } ?? false
                if let target = targets[id] {
                    askOthers(
                        of: id,
                        target.endpoints.filter {
                            guard $0 != path.endpoint else { return false }
                            return hasChanged || (target.answers[$0] == nil && !target.silent.contains($0))
                        }
                    )
                }
            }
            // Last, so that whoever reads that it is a gateway reads how long its answer took.
            tell(.probed(path.endpoint, outcome))
            targets[id]?.isAsked = true
            return
        }
        switch job.reason {
        case .otherAddress:
            for endpoint in job.question.endpoints where stillThere(endpoint) {
                targets[id]?.silent.insert(endpoint)
                tell(.probed(endpoint, outcome))
            }
        case .first, .again:
            let isSilent = report.path == nil
            if isSilent, askUntried(id, job.reason) {
                if targets[id]?.tracker.liveness == nil { tellNone(outcome, job, report) }
                return
            }
            // What was a gateway stays what it was known as while it only does not answer.
            if isSilent, targets[id]?.tracker.liveness != nil {
                missedProbe(of: id, now: now)
                return
            }
            tellNone(outcome, job, report)
            targets[id]?.isAsked = true
            if outcome.isSilence { doubtServices(of: id, now: now) }
            foundNone(at: id, now: now)
        }
    }

    /// Tells that no gateway is there: at the address that answered, or at all that did not.
    private mutating func tellNone(_ outcome: ProbeOutcome, _ job: ProbeJob, _ report: GatewayProbeReport) {
        for endpoint in report.path.map({ [$0.endpoint] }) ?? job.question.endpoints {
            guard targets[job.target]?.endpoints.contains(endpoint) == true else { continue }
            tell(.probed(endpoint, outcome))
            targets[job.target]?.answers[endpoint] = nil
        }
    }
}

extension ProbeOutcome {
    /// Whether nobody is there, as far as can be seen.
    fileprivate var isSilence: Bool {
        switch self {
        case .nothing(.refused), .nothing(.noAnswer), .nothing(.unreachable): true
        case .nothing, .gateway, .somethingElse: false
        }
    }
}

extension ScanTarget {
    /// The endpoints that race for the first answer: the best of each family first.
    var racing: [Endpoint] {
        guard endpoints.count > ScanState.racers else { return endpoints }
        let (four, six) = (
            endpoints.filter { $0.address.family == .ipv4 }, endpoints.filter { $0.address.family == .ipv6 }
        )
        let half = ScanState.racers / 2
        return Array(four.prefix(max(half, ScanState.racers - six.count)))
            + Array(six.prefix(max(half, ScanState.racers - four.count)))
    }
}
