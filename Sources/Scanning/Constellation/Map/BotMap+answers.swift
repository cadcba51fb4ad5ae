internal import DNSSD
package import GatewayProtocol

/// The answers of endpoints.
extension BotMap {
    /// Takes in the outcome of a gateway probe of an endpoint.
    mutating func learn(_ key: Endpoint, _ outcome: ProbeOutcome, _ roundTrip: Duration?) {
        let endpoint = endpoints.insert(key)
        if endpoints[endpoint].waiting != nil {
            endpoints[endpoint].waiting = nil
            touch(endpoint)
        }
        switch outcome {
        case .gateway(let identity):
            learn(endpoint, identity, outcome, roundTrip)
        case .somethingElse, .nothing(.wrongLeaf):
            if endpoints[endpoint].session != nil { touch(endpoint) }
            endpoints[endpoint].noteSession(nil)
            if endpoints[endpoint].row != nil { leave(endpoint) } else { endpoints[endpoint].endProof() }
            endpoints[endpoint].answeredAt = sequence
            learnNone(endpoint, outcome)
        case .nothing(let reason):
            // Silence is not another identity, and neither is a front's word that nobody is behind it: liveness checks
            // decide when the gateway has stopped answering.
            guard endpoints[endpoint].row == nil else {
                note(reason, at: endpoint)
                return bringBack(endpoint)
            }
            learnNone(endpoint, outcome)
        }
        if endpoints[endpoint].candidates.isEmpty { rememberWithoutCandidate(endpoint) }
    }

    /// Records what was found in place of a gateway: its front alone, or the reason why nothing answers. That an answer
    /// takes too long says too little.
    private mutating func note(_ reason: NoAnswer, at endpoint: Endpoint) {
        let silence = reason.inPlaceOfGateway
        guard endpoints[endpoint].silence != silence else { return }
        endpoints[endpoint].silence = silence
        touch(endpoint)
        touchRows(pairedAt: endpoint)
    }

    private mutating func learnNone(_ endpoint: Endpoint, _ outcome: ProbeOutcome) {
        guard endpoints[endpoint].outcome != outcome || endpoints[endpoint].hasCheck else { return }
        endpoints[endpoint].outcome = outcome
        endpoints[endpoint].silence = nil
        endpoints[endpoint].forgetChecks()
        endpoints[endpoint].roundTrip = nil
        touch(endpoint)
        touchRivals(at: endpoint)
        touchRows(pairedAt: endpoint)
    }

    /// Marks the claimants for refreshing: a candidate counts as one once its endpoints have been asked.
    private mutating func touchRivals(at endpoint: Endpoint) {
        for candidate in endpoints[endpoint].candidates {
            if let fingerprint = candidates[candidate].fingerprint { touchClaimants(of: fingerprint) }
        }
    }

    private mutating func learn(
        _ endpoint: Endpoint,
        _ identity: GatewayIdentity,
        _ outcome: ProbeOutcome,
        _ roundTrip: Duration?
    ) {
        let known = endpoints[endpoint].row == nil ? nil : endpoints[endpoint].outcome?.identity
        let isBack = endpoints[endpoint].liveness?.isAlive != true
        if isBack || endpoints[endpoint].silence != nil { touchRows(pairedAt: endpoint) }
        endpoints[endpoint].noteAnswer()
        if let roundTrip { endpoints[endpoint].roundTrip = roundTrip }
        endpoints[endpoint].noteProbe(in: sequence, saysSomethingNew: known?.saysTheSame(as: identity) != true)
        endpoints[endpoint].answeredAt = sequence
        // Before the endpoint leaves its row.
        let others = known.map { $0 != identity } == true ? endpoints[endpoint].row.map { rows[$0].members } ?? [] : []
        if known?.isSame(as: identity) == true {
            endpoints[endpoint].outcome = outcome
            if recognize(endpoint, identity) { settleProof(of: endpoint) }
            touch(endpoint)
        } else {
            let former = endpoints[endpoint].row
            if known != nil { leave(endpoint) }
            endpoints[endpoint].outcome = outcome
            // Behind a front, a pinned leaf was the proof of the gateway that answered there before.
            if let leaf = identity.leaf, marks.isPinned(leaf), !marks.recognizes(at: endpoint, byLeafOf: identity) {
                _ = endpoints[endpoint].endProof(ofPin: leaf)
            }
            _ = recognize(endpoint, identity)
            touchRows(pairedAt: endpoint)
            place(endpoint, identity, after: former)
            for row in former.map({ [$0] }) ?? replacedRows(by: endpoint, identity) { succeed(row, at: endpoint) }
        }
        if isBack { demandAnswers(ofReplacedBy: endpoint, identity) }
        if isBack || known?.isSame(as: identity) != true {
            demandAnswers(toClaimAt: endpoint, identity)
            demand(.newIdentity, at: endpoint)
        }
        demandAnswers(of: others, besides: endpoint, identity)
        answered(endpoint)
    }

    /// Takes in the result of a liveness check of an endpoint.
    mutating func learn(_ key: Endpoint, _ liveness: Liveness, _ roundTrip: Duration?) {
        let endpoint = endpoints.insert(key)
        let before = endpoints[endpoint].liveness
        if liveness == .answering { endSilence(of: endpoint) }
        endpoints[endpoint].noteCheck(liveness)
        settleLiveness(of: endpoint, since: before, isAnswer: liveness == .answering, roundTrip)
    }

    /// Takes in the liveness that a session reports for its endpoint; `nil` when the session has ended.
    mutating func learn(_ key: Endpoint, session liveness: Liveness?, _ roundTrip: Duration?) {
        if liveness == nil, endpoints.known(key) == nil { return }
        let endpoint = endpoints.insert(key)
        let before = endpoints[endpoint].liveness
        if liveness == nil, endpoints[endpoint].session != nil {
            // Nothing leads there and nothing else checks it: it would be shown unchanged for ever.
            guard !endpoints[endpoint].candidates.isEmpty || endpoints[endpoint].isChecked else {
                leave(endpoint)
                touchRows(pairedAt: endpoint)
                endpoints.remove(endpoint)
                return
            }
            endpoints[endpoint].endProofOfSession()
            touch(endpoint)
        }
        if liveness == .answering { endSilence(of: endpoint) }
        endpoints[endpoint].noteSession(liveness)
        settleLiveness(of: endpoint, since: before, isAnswer: liveness == .answering, roundTrip)
    }

    /// Marks everything for refreshing that shows or depends on what was found in place of a gateway which is back.
    private mutating func endSilence(of endpoint: Endpoint) {
        guard endpoints[endpoint].silence != nil else { return }
        endpoints[endpoint].silence = nil
        touch(endpoint)
        touchRows(pairedAt: endpoint)
    }

    /// Marks everything that depends on the liveness of an endpoint for refreshing, if the liveness has changed,
    /// whether through a check or a session.
    private mutating func settleLiveness(
        of endpoint: Endpoint,
        since before: Liveness?,
        isAnswer: Bool,
        _ roundTrip: Duration?
    ) {
        let after = endpoints[endpoint].liveness
        var isNews = before != after
        // Its row is rebuilt below, since the endpoint is no longer alive.
        if isNews, after == .gone {
            endpoints[endpoint].endProofOfSession()
            endpoints[endpoint].readiness = nil
        }
        if isNews, before?.isAlive != after?.isAlive { touchRows(pairedAt: endpoint) }
        if let roundTrip, endpoints[endpoint].roundTrip != roundTrip {
            endpoints[endpoint].roundTrip = roundTrip
            isNews = true
        }
        if isAnswer { endpoints[endpoint].answeredAt = sequence }
        let isWaited = isAnswer && isAnswerWaitedFor(of: endpoint)
        // Nothing waits for most answers: the check above has just looked at the claims on the fingerprint.
        if isAnswer { answered(endpoint, releasesClaims: isWaited) }
        if isWaited || isNews && (before?.isAlive != after?.isAlive || !patchRow(of: endpoint)) { touch(endpoint) }
        if endpoints[endpoint].candidates.isEmpty { rememberWithoutCandidate(endpoint) }
    }

    /// Takes in the readiness that the gateway at an endpoint reports.
    mutating func learn(_ key: Endpoint, readiness: Readiness?) {
        guard let endpoint = endpoints.known(key), endpoints[endpoint].row != nil,
            endpoints[endpoint].readiness != readiness
        else { return }
        // An answer that came after the last one was missed is outdated.
        guard readiness == nil || endpoints[endpoint].liveness?.isAlive == true else { return }
        endpoints[endpoint].readiness = readiness
        touch(endpoint)
    }

    /// Records whether an endpoint sends more than was asked for.
    mutating func learn(_ key: Endpoint, isFlooding: Bool) {
        guard let endpoint = endpoints.known(key), endpoints[endpoint].isFlooding != isFlooding else { return }
        endpoints[endpoint].isFlooding = isFlooding
        touch(endpoint)
        if endpoints[endpoint].candidates.isEmpty { rememberWithoutCandidate(endpoint) }
    }

    /// Allows the hidden row of an endpoint to be shown again, since the endpoint waits to be asked, or was asked and
    /// no other gateway is there.
    private mutating func bringBack(_ endpoint: Endpoint) {
        guard let row = endpoints[endpoint].row, rows[row].isAwaited else { return }
        rows[row].isAwaited = false
        touch(row)
    }

    /// Records the reason why an endpoint waits to be asked; `nil` when it no longer waits.
    mutating func learn(_ key: Endpoint, waiting reason: WaitingReason?) {
        let endpoint = endpoints.insert(key)
        if endpoints[endpoint].waiting != reason {
            endpoints[endpoint].waiting = reason
            touch(endpoint)
            touchRivals(at: endpoint)
            bringBack(endpoint)
        }
        if endpoints[endpoint].candidates.isEmpty { rememberWithoutCandidate(endpoint) }
    }

    /// Records the machine that has an endpoint's address.
    mutating func learn(_ key: Endpoint, _ machine: Machine?) {
        guard let endpoint = endpoints.known(key), endpoints[endpoint].machine != machine else { return }
        endpoints[endpoint].machine = machine
        if let row = endpoints[endpoint].row { touch(row) }
        touchRows(pairedAt: endpoint)
        mergeOneMachine(at: endpoint)
    }

    /// Merges the row of an endpoint with another row of its fingerprint, if this host's kernel knows that both are on
    /// one machine.
    mutating func mergeOneMachine(at endpoint: Endpoint) {
        guard endpoints[endpoint].machine != nil, let row = endpoints[endpoint].row,
            let fingerprint = rows[row].fingerprint
        else { return }
        for other in claims[fingerprint]?.rows ?? [] where other != row && areOneMachine(endpoint, other) {
            merge(row, other, of: fingerprint)
            return
        }
    }

    /// Ends the seniority of an endpoint that has been silent for too long.
    mutating func retire(_ endpoint: Endpoint) {
        guard let row = endpoints[endpoint].row, endpoints[endpoint].liveness == .gone else { return }
        endpoints[endpoint].seniority = .max
        touch(row)
        if endpoints[endpoint].candidates.isEmpty {
            leave(endpoint)
            endpoints[endpoint].outcome = nil
            endpoints[endpoint].forgetChecks()
            rememberWithoutCandidate(endpoint)
        }
    }

    /// Returns the gateway that answers at an endpoint; `nil` if none does.
    func identity(at key: Endpoint) -> GatewayIdentity? {
        endpoints[key].row == nil ? nil : endpoints[key].outcome?.identity
    }

    // MARK: Members

    /// Records that a member of a row has answered. Claims of others are examined at such answers, and not in between.
    ///
    /// - Parameter releasesClaims: Indicates whether claims of others may be waiting for this answer.
    private mutating func answered(_ endpoint: Endpoint, releasesClaims: Bool = true) {
        guard let row = endpoints[endpoint].row else { return }
        rows[row].history.answered(in: sequence, isFirst: endpoints[endpoint].seniority == sequence)
        releaseSuccessors(of: row)
        guard releasesClaims, let fingerprint = rows[row].fingerprint else { return }
        release(claimsOn: fingerprint)
    }

    /// Indicates whether claims of others, or a flag, wait for the answer of this member.
    private func isAnswerWaitedFor(of endpoint: Endpoint) -> Bool {
        guard let row = endpoints[endpoint].row else { return false }
        return rows[row].isAnswerWaitedFor || isUnacceptedAnswer(of: endpoint, row)
    }

    /// Removes an endpoint from its row. This ends the liveness that its session reports, and a proof without a leaf.
    mutating func leave(_ endpoint: Endpoint) {
        guard let row = endpoints[endpoint].row else { return }
        touch(endpoint)
        // Also those of the certificate that it has shown until now.
        touchRows(pairedAt: endpoint)
        endpoints[endpoint].endProof()
        // The session was with the gateway that answered there until now.
        endpoints[endpoint].noteSession(nil)
        endpoints[endpoint].row = nil
        endpoints[endpoint].readiness = nil
        rows[row].members.removeAll { $0 == endpoint }
        // Candidates that led to no other member of the row no longer belong to it.
        for candidate in endpoints[endpoint].candidates where homes[candidate] == row {
            guard !candidates[candidate].endpoints.contains(where: { endpoints[$0].row == row }) else { continue }
            homes[candidate] = nil
            rows[row].instances.removeAll { $0 == candidate }
        }
        if let leaf = endpoints[endpoint].outcome?.identity?.leaf,
            !rows[row].members.contains(where: { endpoints[$0].outcome?.identity?.leaf == leaf })
        {
            leaves[leaf]?.removeAll { $0 == row }
            if leaves[leaf]?.isEmpty == true { leaves[leaf] = nil }
        }
    }
}

extension GatewayIdentity {
    /// Indicates whether two answers come from the same gateway, as far as answers can show. Name, bots and version do
    /// not count.
    package func isSame(as other: GatewayIdentity) -> Bool {
        dialect == other.dialect && fingerprint == other.fingerprint && leaf == other.leaf
    }

    /// Indicates whether two answers report the same name and the same bots.
    func saysTheSame(as other: GatewayIdentity) -> Bool {
        name == other.name && bots.count == other.bots.count
            && zip(bots, other.bots).allSatisfy { $0.id == $1.id && $0.name == $1.name }
    }
}
