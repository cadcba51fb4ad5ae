internal import DNSSD

/// An established session: its signs of life, and the return to a path on this network.
extension SessionMachine {
    /// Returns the time at which something is due in a session.
    func deadline(of session: LiveSession) -> ContinuousClock.Instant? {
        [
            session.pingDue(watched: watched), session.wakeDue, session.suspectDue(watched: watched),
            session.silentDue(watched: watched), session.returnDue, session.successor?.due,
        ].compactMap(\.self).min()
    }

    mutating func noteSignOfLife(_ id: AttemptID) {
        guard case .live(var session) = phase, session.id == id else { return }
        noteSignOfLife(of: &session)
        phase = .live(session)
    }

    mutating func congested(_ id: AttemptID, _ isCongested: Bool) {
        guard case .live(var session) = phase, session.id == id else { return }
        session.isCongested = isCongested
        // The messages that wait are a sign of life.
        noteSignOfLife(of: &session)
        phase = .live(session)
    }

    private mutating func noteSignOfLife(of session: inout LiveSession) {
        if session.noteSignOfLife(now: now) {
            actions.append(.liveness(session.id, .answering))
            obstacle = nil
        }
        guard var successor = session.successor, !successor.isAuthenticating else { return }
        // A successor is not needed any more, but a better path is.
        let path = session.path
        for other in successor.keep({ Self.isBetter($0, than: path) }) { actions.append(.close(other, code: 1_000)) }
        session.successor = successor.isOver ? nil : successor
        if session.successor == nil, session.returnDue == nil, isWorseThanOffered(session) {
            session.postponeReturn(now: now)
        }
    }

    /// The shortest time by which a wake-up is postponed.
    private static var leastPause: Duration { .milliseconds(10) }

    /// Handles a change: asks for a sign of life, and looks for a better path.
    mutating func wake(_ session: LiveSession, at time: ContinuousClock.Instant) {
        var session = session
        guard wakes.take(now: now) else {
            // Changes come in bursts, and the last of them counts as well.
            session.postponeWake(to: max(wakes.time(for: 1), now + Self.leastPause))
            phase = .live(session)
            return
        }
        if isWorseThanOffered(session), session.successor == nil { session.hastenReturn(to: time) }
        if !session.isCongested {
            session.shortenAnswerTimeout()
            if session.lastSignOfLife < now, session.unanswered == nil { ask(&session) }
        }
        if session.isSuspect { renewSuccessor(of: &session, offer.all) }
        phase = .live(session)
    }

    mutating func passTime(_ former: LiveSession) {
        var session = former
        if let due = session.silentDue(watched: watched), due <= now { return giveUp(session) }
        if let due = session.suspectDue(watched: watched), due <= now {
            session.suspect()
            actions.append(.liveness(session.id, .suspect))
            // From now on, a new connection is tried as well; an answer to the old ping is still welcome.
            succeed(&session, SessionRound(offer.all, now: now))
        }
        // Anything else that is due follows at once, at the next deadline.
        if session.takeWake(now: now) { return wake(session, at: now) }
        if let due = session.pingDue(watched: watched), due <= now + LiveSession.pingLeeway(watched: watched) {
            ask(&session)
        }
        if let due = session.returnDue, due <= now {
            session.returnDue = nil
            let better = offer.all.filter { Self.isBetter($0, than: session.path) }
            succeed(&session, SessionRound(better, now: now))
        }
        if var successor = session.successor {
            connect(&successor)
            session.successor = successor
        }
        phase = .live(session)
    }

    /// Adds newly known paths to the search beside a suspect session: silent paths that were tried first may occupy all
    /// attempts.
    private mutating func renewSuccessor(of session: inout LiveSession, _ paths: [SessionPath]) {
        guard var successor = session.successor else {
            // All paths that were tried have failed by now.
            return succeed(&session, SessionRound(paths, now: now))
        }
        guard !successor.isAuthenticating else { return }
        for id in successor.renewStale(now: now) { actions.append(.close(id, code: 1_000)) }
        successor.add(paths, now: now)
        connect(&successor)
        session.successor = successor
    }

    private mutating func ask(_ session: inout LiveSession) {
        session.ask(now: now)
        actions.append(.ping(session.id))
    }

    private mutating func succeed(_ session: inout LiveSession, _ round: SessionRound) {
        guard session.successor == nil, !round.isOver, session.ban(at: now) == nil else { return }
        session.successor = round
    }

    /// Ends a session that has been silent for too long.
    private mutating func giveUp(_ session: LiveSession) {
        hasFailed = true
        actions.append(.close(session.id, code: 4_000))
        actions.append(.liveness(session.id, nil))
        if let successor = session.successor {
            phase = .seeking(successor)
        } else if let ban = session.ban(at: now) {
            phase = Self.phase(of: ban)
        } else {
            seek()
        }
        if session.isStable(at: now) { backOff.reset() }
    }

    /// Indicates whether there is a better path than that of the session.
    func isWorseThanOffered(_ session: LiveSession) -> Bool {
        offer.all.contains { Self.isBetter($0, than: session.path) }
    }

    private static func isBetter(_ path: SessionPath, than other: SessionPath) -> Bool { path.rank < other.rank }

    /// Lifts the ban, so that another session may be asked for again.
    mutating func lift(_ session: inout LiveSession) {
        session.ban = nil
        if session.successor == nil, isWorseThanOffered(session) { session.hastenReturn(to: now) }
    }

    // MARK: Paths

    /// Handles a new choice of paths.
    mutating func take(_ offer: PathOffer) {
        let known = Set(self.offer.all)
        let new = offer.all.filter { !known.contains($0) }
        // The map sees more than a connection did, and shows no more what that met, or leads there no more.
        let isThere = obstaclePath.map(offer.all.contains) ?? true
        if offer.obstacle == nil, self.offer.obstacle != nil || !isThere { obstacle = nil }
        self.offer = offer
        switch phase {
        case .resting:
            if !offer.isEmpty { seek() }
        case .seeking(var round):
            guard !new.isEmpty, !round.isAuthenticating else { return }
            round.add(new.filter { $0.rank != .remote }, now: now)
            phase = .seeking(round)
        case .waiting, .failed:
            // A path also becomes new when its obstacle ends, which is a reason to look as well.
            if !new.isEmpty { wake(at: now) }
        case .live(var session):
            if session.isSuspect, !new.isEmpty { renewSuccessor(of: &session, new) }
            if new.contains(where: { Self.isBetter($0, than: session.path) }) { session.hastenReturn(to: now) }
            phase = .live(session)
        case .stopped, .held, .queued, .refused, .revoked:
            break
        }
    }
}
