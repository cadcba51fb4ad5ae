internal import GatewayProtocol

/// Connections that open, are granted a session, or fail.
extension SessionMachine {
    /// Handles an open connection. The decision is about the proof that the peer has shown.
    mutating func opened(_ id: AttemptID, _ decision: TrustDecision) {
        switch phase {
        case .seeking(var round):
            open(id, decision, in: &round)
            phase = .seeking(round)
            if round.isOver { waitAndSeek() }
        case .live(var session):
            guard var successor = session.successor else { return }
            open(id, decision, in: &successor)
            setSuccessor(successor, of: &session)
            phase = .live(session)
        default:
            break
        }
    }

    /// Goes on with a search beside a session or, if it is over, plans another one for later.
    private func setSuccessor(_ successor: SessionRound, of session: inout LiveSession) {
        session.successor = successor.isOver ? nil : successor
        if session.successor == nil { session.postponeReturn(now: now) }
    }

    /// Asks for the session on the first connection that may have the token, and closes the others: two that ask would
    /// become two sessions.
    private mutating func open(_ id: AttemptID, _ decision: TrustDecision, in round: inout SessionRound) {
        guard let attempt = round[id], !round.isAuthenticating else { return }
        guard decision.isAllowed else {
            note(.blocked(decision), at: attempt.path)
            actions.append(.close(id, code: 1_000))
            round.end(id)
            return connect(&round)
        }
        guard limit?.take(at: now) != false else {
            actions.append(.close(id, code: 1_000))
            round.end(id)
            return connect(&round)
        }
        for other in round.authenticate(id) { actions.append(.close(other, code: 1_000)) }
        actions.append(.authenticate(id))
    }

    /// Handles a session that the gateway has granted.
    mutating func granted(_ id: AttemptID, tick: Duration?) {
        switch phase {
        case .seeking(let round):
            guard let attempt = round[id], attempt.isAuthenticating else { return }
            establish(id, attempt.path, tick: tick)
        case .live(let former):
            guard let attempt = former.successor?[id], attempt.isAuthenticating else { return }
            // The end of the former session is not reported as a liveness: that of the new session replaces it.
            actions.append(.close(former.id, code: 1_000))
            establish(id, attempt.path, tick: tick)
        default:
            break
        }
    }

    private mutating func establish(_ id: AttemptID, _ path: SessionPath, tick: Duration?) {
        var session = LiveSession(id, path, tick: tick, now: now)
        if isWorseThanOffered(session) { session.postponeReturn(now: now) }
        phase = .live(session)
        obstacle = nil
        standing = nil
        hasFailed = false
        actions.append(.established(id, path))
        actions.append(.liveness(id, .answering))
    }

    /// Handles the failure of an attempt, or the end of its session.
    mutating func ended(_ id: AttemptID, _ failure: SessionFailure) {
        switch phase {
        case .seeking(var round):
            guard let attempt = round[id] else { return }
            round.end(id)
            phase = .seeking(round)
            note(failure, at: attempt.path)
            if settle(failure, isFromSession: attempt.isAuthenticating) { return close(round) }
            connect(&round)
            phase = .seeking(round)
            if round.isOver { waitAndSeek() }
        case .live(var session):
            if session.id == id { return end(session, failure) }
            guard var successor = session.successor, let attempt = successor[id] else { return }
            successor.end(id)
            connect(&successor)
            if attempt.isAuthenticating, case .refused(let refusal) = failure {
                // A gateway that may have the token has revoked it, so the older session will end as well.
                if refusal.endsCredential {
                    session.successor = successor
                    close(session)
                    _ = settle(failure, isFromSession: true)
                    return
                }
                session.ban = ban(of: refusal)
            }
            setSuccessor(successor, of: &session)
            phase = .live(session)
        default:
            break
        }
    }

    /// Handles the end of the live session.
    private mutating func end(_ session: LiveSession, _ failure: SessionFailure) {
        actions.append(.liveness(session.id, nil))
        hasFailed = true
        let isStable = session.isStable(at: now)
        if isStable { backOff.reset() }
        if let successor = session.successor {
            phase = .seeking(successor)
            // The connection that has replaced it may be its successor, whose session is granted in a moment.
            if successor.isAuthenticating, case .refused(let refusal) = failure, refusal.reason == .sessionReplaced {
                return
            }
            if settle(failure, isFromSession: true) { return close(successor) }
            // The search for its successor goes on.
            if case .seeking = phase { return }
        }
        if settle(failure, isFromSession: true) { return }
        if var ban = session.ban(at: now) {
            // If the session ended at once, the gateway is not asked again without a pause, even if the ban ends
            // sooner.
            if !isStable, let until = ban.until { ban.until = max(until, now + backOff.next(using: &generator)) }
            phase = Self.phase(of: ban)
        } else if isStable {
            seek()
        } else {
            waitAndSeek()
        }
    }

    /// Handles a failure that needs something other than another attempt soon.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - isFromSession: Indicates whether the failure comes from a peer that may have the token, since the token was
    ///     sent to it. A refusal by anybody else counts as silence.
    /// - Returns: `true` if it was such a failure.
    private mutating func settle(_ failure: SessionFailure, isFromSession: Bool) -> Bool {
        switch failure {
        case .failed(let reason):
            // The disk, another process or the user may remove the cause.
            phase = .failed(reason, until: now + backOff.next(using: &generator))
            return true
        case .unreachable, .wrongLeaf, .blocked:
            return false
        case .refused(let refusal):
            guard isFromSession else { return false }
            if refusal.endsCredential {
                phase = .revoked(refusal)
                actions.append(.revoke(refusal))
                return true
            }
            guard let ban = ban(of: refusal) else { return false }
            phase = Self.phase(of: ban)
            return true
        }
    }

    /// Returns the ban that follows from a refusal; `nil` if the usual back-off applies.
    private mutating func ban(of refusal: SessionRefusal) -> LiveSession.Ban? {
        switch refusal.rule {
        case .backOff:
            return nil
        // Two connections of one device would take it from each other for ever.
        case .never where refusal.reason == .sessionReplaced:
            return LiveSession.Ban(refusal: refusal, until: nil)
        case .never:
            return ban(of: refusal, after: Self.standingInterval)
        case .afterNewCredential:
            return ban(of: refusal, after: Self.credentialInterval)
        case .after(let time):
            return ban(of: refusal, after: time)
        case .whenApproved:
            let seconds = Double.random(in: Self.approvalInterval, using: &generator)
            return LiveSession.Ban(refusal: refusal, until: now + .seconds(seconds))
        }
    }

    /// Returns a ban that ends not before this time; not at the same moment as others that got the same answer; and each time
    /// later, since a gateway may ask for no time at all.
    private mutating func ban(of refusal: SessionRefusal, after time: Duration) -> LiveSession.Ban {
        let late = time * Double.random(in: 0...BackOff.spread, using: &generator)
        let wait = max(time + late, backOff.next(using: &generator))
        return LiveSession.Ban(refusal: refusal, until: now + wait)
    }

    static func phase(of ban: LiveSession.Ban) -> Phase {
        ban.until.map { .waiting(Wait(until: $0, refusal: ban.refusal)) } ?? .refused(ban.refusal)
    }

    /// Records the obstacle that keeps the token from being sent.
    private mutating func note(_ failure: SessionFailure, at path: SessionPath) {
        switch failure {
        case .wrongLeaf(let found), .blocked(.changedLeaf(let found)):
            // Other endpoints that claim to be the gateway have rows of their own.
            guard let endpoint = path.endpoint, endpoint == offer.provedLast else { return }
            meet(.changedLeaf(found: found), at: path)
        case .blocked(.moved(let reason)):
            meet(.moved(reason), at: path)
        case .blocked(.refused(.notCertified)):
            meet(.uncertified, at: path)
        case .unreachable where path == obstaclePath:
            // The peer that answered in its place no longer does.
            obstacle = nil
        case .blocked, .unreachable, .refused, .failed:
            break
        }
    }

    private mutating func meet(_ obstacle: PathOffer.Obstacle, at path: SessionPath) {
        self.obstacle = obstacle
        obstaclePath = path
    }
}
