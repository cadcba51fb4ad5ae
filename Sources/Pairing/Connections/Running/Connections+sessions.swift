internal import DNSSD
internal import GatewayProtocol
internal import Logging
internal import Scanning

/// Running the machines of the sessions: they decide, and this extension acts.
extension Connections {
    /// Passes an event to a session's machine, and performs the actions that follow.
    func handle(_ event: SessionEvent, of credential: CredentialID) {
        guard kept[credential] != nil else { return }
        let actions = kept[credential]?.machine.handle(event, at: environment.clock.now) ?? []
        let isWaiting = kept[credential]?.machine.isWaiting == true
        schedule.set(kept[credential]?.machine.deadline, isWaiting: isWaiting, of: credential)
        var closed: [GatewaySession] = []
        for action in actions {
            if case .close(let id, code: _) = action, let session = kept[credential]?.running[id]?.session {
                closed.append(session)
            }
            perform(action, of: credential)
        }
        if let state = kept[credential]?.machine.state {
            for session in closed { session.feed.end(SessionEnd(followedBy: state)) }
        }
        if let deadline = schedule.deadlines[credential] { lookAtClock(at: deadline) }
    }

    private func perform(_ action: SessionAction, of credential: CredentialID) {
        switch action {
        case .connect(let id, let path): dial(id, path, of: credential)
        case .authenticate(let id): kept[credential]?.permitted.insert(id)
        case .close(let id, let code):
            kept[credential]?.running[id]?.commands.yield(.close(code))
            kept[credential]?.running[id]?.commands.finish()
            kept[credential]?.running[id] = nil
            kept[credential]?.permitted.remove(id)
        case .ping(let id): kept[credential]?.running[id]?.commands.yield(.ping)
        case .established(let id, let path): established(id, path, of: credential)
        case .liveness(let id, let sign): noteLiveness(id, sign, of: credential)
        case .revoke(let refusal): revoke(credential, refusal)
        case .report(let state): report(state, of: credential)
        }
    }

    // MARK: Attempts

    /// Makes an attempt, in a task of its own.
    private func dial(_ id: AttemptID, _ path: SessionPath, of credential: CredentialID) {
        guard work.isOpen, let pairing = pairings.pairing(of: credential) else { return }
        // A session that was refused has given up its turn.
        guard hasTurn(credential) else { return work.run { await self.handle(.queue, of: credential) } }
        let (commands, orders) = AsyncStream.makeStream(of: SessionCall.Command.self)
        let record = kept[credential]?.record
        let sent = SentGeneration(kept[credential]?.generation ?? 0)
        kept[credential]?.running[id] = KeptSession.Running(path: path, commands: orders, sent: sent)
        let history = kept[credential]?.history ?? ReceivedMessages()
        let typed = pairing.needsTypedToken ? configuration.typedTokens[pairing.id] : nil
        let call = SessionCall(
            path: path,
            dialect: pairing.dialect,
            scopes: record?.scopes ?? [],
            fingerprint: pairing.fingerprintToTell,
            history: history,
            device: { [store] in
                let device = try await store.perform { $0.device }
                return record.map { device.known(as: $0.deviceID) } ?? device
            },
            secret: { [store, environment, history] in
                let (stored, last) = try await store.perform { store throws(StoreError) in
                    let isClawline = pairing.dialect == .clawline
                    return (
                        try store.liveSecret(of: credential, in: pairing.id),
                        isClawline ? try store.lastMessage(of: credential) : nil
                    )
                }
                history.begin(after: last)
                if let wait = await Self.timeToWait(pairing.dialect, credential, store, environment.wallTime) {
                    let (dialect, reason) = (pairing.dialect, SessionRefusal.Reason.rateLimited)
                    throw SessionRefusal(
                        dialect: dialect,
                        reason: reason,
                        credential: .deviceToken,
                        retryAfter: wait
                    )
                }
                sent.value = stored.generation
                if pairing.dialect == .clawline { sent.isAdmin = ClawlineClaims(stored.secret)?.isAdmin == true }
                return typed ?? stored.secret
            },
            decide: { [store, environment] shown, endpoint in
                let asked = await environment.asked(about: endpoint.address, for: pairing.trust)
                // Read at this moment: the user may have chosen another trust since, or have unpaired it.
                let now = try await store.perform { store throws(StoreError) in
                    try store.livePairing(pairing.id, with: credential)
                }
                let network = environment.network(endpoint.address)?.at(nodeOf: asked)
                return Self.decision(path, now, shown, endpoint, network, isTyped: typed != nil)
            },
            opened: { await self.opened(id, $0, $1, of: credential) },
            granted: { await self.granted(id, $0, of: credential) },
            signOfLife: { await self.noteSignOfLife(id, latency: $0, of: credential) },
            received: { await self.received(id, $0, of: credential) },
            commands: commands
        )
        metrics.noteAttempt()
        logger?.debug("connecting", metadata: ["gateway": "\(pairing.name)", "path": "\(path)"])
        work.run { [dialer] in
            let failure = await dialer.dial(call)
            await self.ended(id, failure, of: credential)
        }
    }

    /// Returns the time for which a gateway is not asked for a session, since the processes of this device have asked as often
    /// as it allows; `nil` if it is asked now, which is counted.
    private static func timeToWait(
        _ dialect: GatewayDialect,
        _ credential: CredentialID,
        _ store: PairingStore,
        _ now: @escaping @Sendable () -> Int
    ) async -> Duration? {
        guard SessionManners(dialect).limit != nil else { return nil }
        // Where nothing can be counted, the gateway still does.
        let wait = try? await store.perform { store throws(StoreError) in
            try store.take(.session(credential), now: now)
        }
        return wait ?? nil
    }

    /// - Parameter isTyped: Indicates whether the user has typed the token for this session, and wants it sent in clear.
    static func decision(
        _ path: SessionPath,
        _ pairing: StoredPairing,
        _ shown: TrustAttempt.Shown,
        _ endpoint: Endpoint,
        _ network: NetworkObservation?,
        isTyped: Bool = false
    ) -> TrustDecision {
        let host: String? = if case .host(let host, port: _) = path.place { host } else { nil }
        return pairing.terms.decision(
            shown,
            at: endpoint,
            in: network,
            soughtAs: host,
            isNear: path.reach == .local,
            isTyped: isTyped
        )
    }

    /// Handles an open connection; returns whether the session may be asked for.
    private func opened(
        _ id: AttemptID,
        _ shown: TrustAttempt.Shown,
        _ endpoint: Endpoint,
        of credential: CredentialID
    ) async -> Bool {
        guard let path = kept[credential]?.running[id]?.path else { return false }
        // Without TLS, the decision depends on the network, of which the kernel may not know enough yet.
        let network = path.policy.isPlain ? await environment.settledNetwork(endpoint.address) : nil
        // The user may have chosen another trust meanwhile.
        guard kept[credential]?.running[id] != nil, let pairing = pairings.pairing(of: credential) else { return false }
        kept[credential]?.running[id]?.endpoint = endpoint
        let isTyped = configuration.typedTokens[pairing.id] != nil
        let decision = Self.decision(path, pairing, shown, endpoint, network, isTyped: isTyped)
        handle(.opened(id, decision), of: credential)
        if case .moved = decision { lookAgain(at: pairing.id) }
        return kept[credential]?.permitted.contains(id) == true
    }

    private func granted(_ id: AttemptID, _ grant: GrantedSession, of credential: CredentialID) {
        guard kept[credential]?.permitted.contains(id) == true, let path = kept[credential]?.running[id]?.path,
            let pairing = pairings.pairing(of: credential)
        else { return }
        kept[credential]?.running[id]?.endpoint = grant.endpoint
        kept[credential]?.latency = grant.roundTrip
        if let token = grant.deviceToken { keep(token, grant.scopes, from: id, of: credential, in: pairing.id) }
        // They are those of the session as well, before the store has been read again.
        if let scopes = grant.scopes { kept[credential]?.record.scopes = scopes }
        let session = GatewaySession(credential, dialect: pairing.dialect, path: path, say: grant.say, ask: grant.ask)
        kept[credential]?.running[id]?.session = session
        kept[credential]?.running[id]?.clawline = grant.clawline
        reportIdentity(grant, of: credential)
        handle(.granted(id, tick: grant.tick), of: credential)
        // A history that begins anew has no last message.
        noteMessage(of: credential)
        followDevices(id, session, of: credential, replayCount: grant.clawline?.replayCount ?? 0)
    }

    /// Stores the device token that came with a session, if it is a new one, and its scopes, if they are others: the operator
    /// may have granted more. It replaces the token that was sent, and no other.
    private func keep(
        _ token: Secret,
        _ scopes: [String]?,
        from id: AttemptID,
        of credential: CredentialID,
        in pairing: PairingID
    ) {
        guard let sent = kept[credential]?.running[id]?.sent else { return }
        let time = environment.wallTime()
        // Started here, so that whatever follows from the session is read and written after it.
        let call = store.start { store throws(StoreError) in
            guard try store.liveSecret(of: credential, in: pairing).secret != token else {
                let known = try store.pairing(pairing)?.credentials.first { $0.id == credential }?.scopes
                if let scopes, known != scopes {
                    try store.update(pairing) { pairing in
                        for index in pairing.credentials.indices where pairing.credentials[index].id == credential {
                            pairing.credentials[index].scopes = scopes
                        }
                    }
                }
                return sent.value
            }
            sent.value = try store.replaceSecret(
                token,
                of: credential,
                in: pairing,
                scopes: scopes,
                ifGeneration: sent.value,
                at: time
            )
            return sent.value
        }
        work.run { await self.noteKept(call, token, scopes, from: id, of: credential, in: pairing) }
    }

    private func noteKept(
        _ call: StoreCall<Int>,
        _ token: Secret,
        _ scopes: [String]?,
        from id: AttemptID,
        of credential: CredentialID,
        in pairing: PairingID
    ) async {
        do throws(StoreError) {
            let generation = try await call.value
            // The store may have been read since.
            if let known = kept[credential]?.generation { kept[credential]?.generation = max(known, generation) }
        } catch {
            warn("a new token could not be stored", error)
            // The gateway may accept no other one from now on.
            guard error.code == .busy else { return }
            await environment.sleep(until: environment.clock.now + Self.retryInterval)
            if !Task.isCancelled { keep(token, scopes, from: id, of: credential, in: pairing) }
        }
    }

    private func noteSignOfLife(_ id: AttemptID, latency: Duration?, of credential: CredentialID) {
        if let latency, kept[credential]?.live?.attempt == id { kept[credential]?.latency = latency }
        noteAnswer(id, of: credential)
        handle(.signOfLife(id), of: credential)
    }

    private func noteAnswer(_ id: AttemptID, of credential: CredentialID) {
        guard let live = kept[credential]?.live, live.attempt == id else { return }
        kept[credential]?.lastAnswer = environment.wallTime()
        constellation.answerTimes.note(live.endpoint, at: environment.clock.now)
    }

    /// Delivers an event of a gateway to whoever reads the events of its session.
    private func received(_ id: AttemptID, _ event: GatewayEvent, of credential: CredentialID) async {
        noteAnswer(id, of: credential)
        handle(.signOfLife(id), of: credential)
        noteDevices(id, event, of: credential)
        defer { noteMessage(of: credential) }
        guard let feed = kept[credential]?.running[id]?.session?.feed, !feed.put(event) else { return }
        // Nothing more is read from this gateway until somebody takes it.
        handle(.congested(id, true), of: credential)
        await feed.putWhenThereIsRoom(event)
        handle(.congested(id, false), of: credential)
    }

    private func ended(_ id: AttemptID, _ failure: SessionFailure, of credential: CredentialID) {
        guard let running = kept[credential]?.running.removeValue(forKey: id) else { return }
        running.commands.finish()
        if let pairing = pairings.pairing(of: credential) {
            logger?.debug(
                "no session",
                metadata: ["gateway": "\(pairing.name)", "path": "\(running.path)", "reason": "\(failure)"]
            )
        }
        kept[credential]?.permitted.remove(id)
        kept[credential]?.endedSecret = running.sent
        handle(.ended(id, judged(failure, of: id, running, credential)), of: credential)
        // It was about a secret that has been replaced since, perhaps by this very gateway as the device was paired again.
        if case .refused(let refusal) = failure, refusal.endsWithNewCredential, !refusal.endsCredential,
            let known = kept[credential]?.generation, running.sent.value < known
        {
            takeNewSecret(of: credential)
        }
        // Once nothing leads to it any more, so that whoever hears of its end finds only the next one.
        running.session?.feed.end(Task.isCancelled ? .ofRun : SessionEnd(failure))
    }

    private func judged(
        _ failure: SessionFailure,
        of id: AttemptID,
        _ running: KeptSession.Running,
        _ credential: CredentialID
    ) -> SessionFailure {
        guard kept[credential]?.live?.attempt != id, let pairing = pairings.pairing(of: credential) else {
            return failure
        }
        return Self.judged(failure, on: running.path, pairing, pairings.places)
    }

    /// Returns the failure of an attempt by its place. At a place where the pairing was never connected, there may be a stranger
    /// behind the same front, which tells another fingerprint: that is none of this gateway. A tunnel may lead to another one,
    /// too: the user has named it, and is told of a stranger there.
    static func judged(
        _ failure: SessionFailure,
        on path: SessionPath,
        _ pairing: StoredPairing,
        _ places: ConnectedPlaces = ConnectedPlaces()
    ) -> SessionFailure {
        let wasThere = places.has(path, of: pairing)
        return switch failure {
        case .refused(let refusal) where PairedTerms.isOfAnother(refusal, wasConnectedThere: wasThere):
            .blocked(.moved(.gateway))
        case .blocked(.moved(.gateway)) where !wasThere && path.endpoint != nil: .unreachable
        case .unreachable, .wrongLeaf, .blocked, .refused, .failed: failure
        }
    }

    // MARK: The clock

    /// Schedules a look at the clock for the time at which something is due, if none is scheduled before: whoever
    /// looks finds out what is due next in all sessions, of which there may be thousands.
    private func lookAtClock(at deadline: ContinuousClock.Instant) {
        guard work.isOpen else { return }
        // Sleep is looked for once a second.
        let latest = environment.awake == nil ? deadline : environment.clock.now + .seconds(1)
        let due = min(deadline, latest)
        guard schedule.look(at: due) else { return }
        work.runLater { [environment] in
            await environment.sleep(until: due)
            await self.timeCame(due)
        }
    }

    private func timeCame(_ time: ContinuousClock.Instant) {
        guard !Task.isCancelled, schedule.beginLook(at: time) else { return }
        let now = environment.clock.now
        if let awake = environment.awake?(),
            schedule.sleepDetector.hasSlept(now: now, awake: awake, next: now + .seconds(1))
        {
            wakeAll()
        }
        let latest = now + LiveSession.pingLeeway(watched: isWatched ? kept.count : 0)
        for credential in schedule.beginHandling(until: latest) { handle(.timePassed, of: credential) }
        schedule.endHandling()
        if let next = schedule.next { lookAtClock(at: next) }
    }

    /// Makes all sessions look for their gateways, but not all at once.
    func wakeAll() {
        for (credential, delay) in inTurn(kept.keys.sorted()) { handle(.wake(after: delay), of: credential) }
    }

    func warn(_ text: Logger.Message, _ error: StoreError) {
        if error.code == .cancelled { return }
        logger?.warning(text, metadata: ["error": "\(error)"])
    }
}
