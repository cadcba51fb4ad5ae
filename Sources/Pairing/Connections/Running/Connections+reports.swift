internal import DNSSD
internal import GatewayProtocol
internal import Logging
internal import Scanning

/// The reports of the sessions to the store, the map and the readers of events.
extension Connections {
    /// Handles an established session: stores where and when it was established.
    func established(_ id: AttemptID, _ path: SessionPath, of credential: CredentialID) {
        guard let endpoint = kept[credential]?.running[id]?.endpoint, let pairing = pairings.id(of: credential) else {
            return
        }
        // If the former session had another endpoint, its liveness ends with it.
        if let former = kept[credential]?.live, former.endpoint != endpoint {
            let latency = kept[credential]?.latency
            noteLiveness(former.attempt, nil, of: credential)
            kept[credential]?.latency = latency
        }
        kept[credential]?.live = (id, endpoint)
        kept[credential]?.path = path
        pairings.places.note(path, of: pairing)
        note(at: environment.wallTime(), path, endpoint, of: pairing)
        kept[credential]?.lastAnswer = environment.wallTime()
        noteName(at: endpoint, of: credential)
    }

    /// Stores the name that a gateway gives itself at the endpoint of its session, if it is not known by that yet: it may
    /// have been paired under another one, or have been renamed.
    func noteName(at endpoint: Endpoint, of credential: CredentialID) {
        guard let pairing = pairings.pairing(of: credential),
            let name = rows.path(at: endpoint)?.outcome?.identity?.name, !name.isEmpty, !pairing.names.contains(name)
        else { return }
        let call = store.start { store throws(StoreError) in try store.update(pairing.id) { $0.ownName = name } }
        work.run { await self.noteStored(call) }
    }

    private func noteStored(_ call: StoreCall<Void>) async {
        do throws(StoreError) {
            try await call.value
        } catch {
            // The next session stores it.
            warn("the own name of a gateway could not be stored", error)
        }
    }

    /// Notes when a gateway was last connected, and where, to be stored.
    private func note(at time: Int, _ path: SessionPath? = nil, _ endpoint: Endpoint? = nil, of pairing: PairingID) {
        // An endpoint that was reached through a tunnel says nothing about where the gateway is on this network.
        let place = path?.reach == .local ? endpoint : nil
        let url = pairings[pairing]?.remoteURL
        let isOutside = url.flatMap(GatewayURL.init).map { path?.leads(to: $0) == true } == true
        notes.note(at: time, place, isOutside ? url : nil, of: pairing)
        storeNotesSoon()
    }

    private func storeNotesSoon() {
        if work.isOpen, notes.begin() { work.run { await self.storeNotes() } }
    }

    /// Notes the last message of a Clawline provider, by which the next session goes on, also of another process.
    func noteMessage(of credential: CredentialID) {
        guard let history = kept[credential]?.history, history.takesNews() else { return }
        notes.note(message: history.last, of: credential)
        storeNotesSoon()
    }

    /// Notes when the gateway of a session that has ended last answered.
    func noteLastAnswer(of credential: CredentialID) {
        guard let time = kept[credential]?.lastAnswer, let pairing = pairings.id(of: credential) else { return }
        kept[credential]?.lastAnswer = nil
        note(at: time, of: pairing)
    }

    /// The minimum time between two writes of where sessions were established.
    private static let noteInterval = Duration.seconds(1)

    /// Stores where and when sessions were established. Sessions come back together: all those of one moment are one
    /// write.
    private func storeNotes() async {
        while !notes.isEmpty, !Task.isCancelled {
            let (written, messages) = (notes.notes, notes.messages)
            do throws(StoreError) {
                try await startStoringNotes()?.value
            } catch {
                warn("the last place of a gateway could not be stored", error)
                if error.code == .busy { notes.putBack(written, messages) }
            }
            await environment.sleep(until: environment.clock.now + Self.noteInterval)
        }
        notes.end()
    }

    /// Begins to write what has been noted of sessions.
    @discardableResult
    func startStoringNotes() -> StoreCall<Void>? {
        guard !notes.isEmpty else { return nil }
        let (written, messages) = (notes.take(), notes.takeMessages())
        return store.start { store throws(StoreError) in
            if !written.isEmpty { try store.noteConnected(written) }
            try store.noteMessages(messages)
        }
    }

    /// Reports to the map what a session has proved, and the identity of a gateway that nobody has probed, or not since it
    /// shows this certificate, or none: in the words that a probe would have found, since the map compares them with those
    /// at its other addresses. As long as the session lives, nobody may ask there, so that a row would be measured by what a
    /// gateway was before it had TLS, or had it again.
    func reportIdentity(_ grant: GrantedSession, of credential: CredentialID) {
        guard let pairing = pairings.pairing(of: credential) else { return }
        var events: [BotMapEvent] = []
        let known = rows.path(at: grant.endpoint)?.outcome?.identity
        if known == nil || known?.leaf != grant.leaf {
            let identity = GatewayIdentity(
                fingerprint: pairing.fingerprint,
                name: grant.told?.name,
                dialect: pairing.dialect,
                bots: grant.told?.bots ?? [],
                leaf: grant.leaf
            )
            events.append(.probed(grant.endpoint, .gateway(identity), roundTrip: grant.roundTrip))
        }
        switch (pairing.trust, grant.leaf) {
        case (.pinned(let pin), let leaf?) where leaf == pin:
            events.append(.proved(grant.endpoint, .pinnedLeaf, leaf: pin))
            // The first session at an endpoint has said this for all of them.
            reportPins(at: told.pin(pin, at: grant.endpoint, of: pairing.id))
        case (_, let leaf?):
            events.append(.proved(grant.endpoint, .certified, leaf: leaf))
        case (_, nil):
            // At another place than that of the pairing, not even the address indicates that it is the same gateway.
            if !pairing.isElsewhere(grant.endpoint) { events.append(.proved(grant.endpoint, .sameAddress)) }
        }
        report(events)
    }

    /// Reports to the map whether the endpoint of a session is alive: the best liveness that its sessions see.
    func noteLiveness(_ id: AttemptID, _ sign: SessionAction.Sign?, of credential: CredentialID) {
        guard let live = kept[credential]?.live, live.attempt == id else { return }
        let seen: Liveness? =
            switch sign {
            case .answering: .answering
            case .suspect: .suspect
            case nil: nil
            }
        if seen == nil {
            kept[credential]?.live = nil
            kept[credential]?.latency = nil
            // Who waits there now is not known.
            kept[credential]?.devices = nil
        }
        guard let liveness = told.note(seen, at: live.endpoint, by: credential) else { return }
        // Readers of the map take a new round-trip time for an answer.
        let roundTrip = liveness == .answering ? kept[credential]?.latency : nil
        report([.sessionLiveness(live.endpoint, liveness, roundTrip: roundTrip)])
    }

    /// Moves a credential that the gateway has revoked to the bin. Its bots are only discovered from now on.
    func revoke(_ credential: CredentialID, _ refusal: SessionRefusal) {
        guard let pairing = pairings.id(of: credential) else { return }
        let sent = kept[credential]?.endedSecret
        let time = environment.wallTime()
        let call = store.start { store throws(StoreError) in
            try store.moveToBin(
                credential,
                of: pairing,
                // A token that came with the session has been stored by now, and is what the gateway has revoked.
                ifGeneration: sent?.value,
                reason: .revoked(refusal.description),
                at: time
            )
        }
        work.run { await self.noteRevoked(credential, call) }
    }

    private func noteRevoked(_ credential: CredentialID, _ call: StoreCall<Void>) async {
        do throws(StoreError) {
            try await call.value
        } catch {
            if error.code == .cancelled { return }
            if error.code == .outdated { return await tryNewSecret(of: credential) }
            warn("a revoked credential could not be moved to the bin", error)
        }
        // If the store has been read since, nothing of it is known any more.
        for key in botKeys(of: credential) {
            let steps = told.set(nil, of: key, by: credential)
            // Another pairing with the gateway may open it still.
            report(told.isKnown(key) ? steps : [.revoked(key)])
        }
    }

    /// Tries the secret that has replaced one that was refused. The reading of the store leads to that, unless it has done so
    /// before: said twice, it would end the attempt that has the new one already.
    private func tryNewSecret(of credential: CredentialID) async {
        await readStore()
        // It was known already, while the session that has now ended still had the former one.
        if case .revoked? = kept[credential]?.state { handle(.newCredential, of: credential) }
    }

    /// Reports that a session has another state.
    func report(_ state: SessionState, of credential: CredentialID) {
        noteChange(to: state, of: credential)
        kept[credential]?.state = state
        kept[credential]?.since = environment.clock.now
        if case .connected(let path) = state { kept[credential]?.path = path } else { kept[credential]?.path = nil }
        if case .revoked = state {
        } else {
            reportBots(of: credential)
        }
        switch state {
        // Others may have their turn while it has no use for it.
        case .stopped, .held, .refused: endTurn(of: credential)
        case .deferred(let refusal, _) where refusal.stands: endTurn(of: credential)
        case .queued, .idle, .waiting, .connecting, .authenticating, .connected, .moved, .changedLeaf, .uncertified,
            .deferred, .revoked, .failed:
            break
        }
        guard let session = kept[credential], let pairing = pairings.pairing(of: credential) else {
            return
        }
        let snapshot = session.snapshot(pairing)
        tellOthers(snapshot, session.claim.lock)
        report(.changed(snapshot))
    }

    /// Reports to the map what a session means for its bots, if that has changed.
    func reportBots(of credential: CredentialID) {
        guard let state = kept[credential]?.state else { return }
        let steps = botKeys(of: credential).flatMap { told.set(state.botState, of: $0, by: credential) }
        if !steps.isEmpty { report(steps) }
    }

    /// Tells other processes what a session that this one holds is doing.
    private func tellOthers(_ session: SessionSnapshot, _ lock: SessionLock?) {
        guard let lock else { return }
        let note = session.note(
            at: environment.wallTime(),
            now: environment.clock.now,
            after: kept[session.id]?.refusal
        )
        // A refusal is over once there is a session; in between, attempts are shown as such.
        let refusal = session.detail.isConnected ? nil : note.refusal ?? kept[session.id]?.refusal
        kept[session.id]?.refusal = refusal
        // Not here: writing a file may take long.
        _ = store.start { _ throws(StoreError) in lock.note(note) }
    }

    /// Counts the change of a session's state, and the time from the loss of a session to the next one.
    private func noteChange(to state: SessionState, of credential: CredentialID) {
        guard let before = kept[credential]?.state else { return }
        metrics.noteChange(from: before, to: state)
        let now = environment.clock.now
        switch state {
        case .connected:
            guard let lost = kept[credential]?.lost else { return }
            kept[credential]?.lost = nil
            metrics.noteReconnect(after: now - lost)
        case .stopped: kept[credential]?.lost = nil
        default: if before.isConnected { kept[credential]?.lost = now }
        }
        if before.isConnected, !state.isConnected { noteLastAnswer(of: credential) }
    }

    /// Returns the bots of a credential as the map knows them.
    func botKeys(of credential: CredentialID) -> [BotKey] {
        guard let row = pairings.id(of: credential).flatMap({ pairings.row(of: $0) }) else { return [] }
        return kept[credential]?.bots.map { BotKey(gateway: row, bot: $0.id) } ?? []
    }
}
