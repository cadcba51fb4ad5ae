internal import GatewayClient
internal import GatewayProtocol
internal import Logging
internal import Scanning

/// The sources of the sessions' information: the store, the map, and the network of this host.
extension Connections {
    // MARK: Store

    /// The time for which changes of the store are collected.
    private static let storeInterval = Duration.milliseconds(50)...Duration.seconds(5)

    /// Reads the store now, and again whenever this process or another one has changed it.
    func followStore() async {
        // The iterator is made before the first reading, and reports all changes from here on: none is missed.
        var changes = await store.changes.begin()
        repeat {
            let start = environment.clock.now
            await readStore()
            // With many pairings, reading takes at most a tenth of the time.
            let pause = (environment.clock.now - start) * 9
            let interval = Self.storeInterval
            try? await Task.sleep(for: min(max(pause, interval.lowerBound), interval.upperBound))
        } while await changes.next(isolation: self) != nil
        if !Task.isCancelled { leaveStore() }
    }

    /// Ends all sessions, since the store was moved or removed. A store that is there now has to be opened anew.
    private func leaveStore() {
        for credential in Array(kept.keys) {
            end(credential, .fail("the store was moved or removed. Start again, to open what is there now"))
        }
    }

    /// Reads the pairings as they are now, and updates the sessions.
    func readStore() async {
        guard work.isOpen else { return }
        let reading = readings.begin()
        let found: (pairings: [StoredPairing], aliases: [GatewayAlias])
        do throws(StoreError) {
            found = try await store.perform { store throws(StoreError) in
                (pairings: try store.pairings(), aliases: try store.aliases())
            }
        } catch {
            warn("the store could not be read", error)
            return readStoreLater()
        }
        // Meanwhile a later reading may have been taken, or the run may have ended.
        guard work.isOpen, readings.take(reading) else { return }
        take(found.pairings, found.aliases)
    }

    /// Updates the sessions according to the pairings as they were just read.
    private func take(_ found: [StoredPairing], _ aliases: [GatewayAlias]) {
        let ids = Set(found.map(\.id))
        let known = Set(kept.keys)
        for pairing in pairings.all.values where !ids.contains(pairing.id) { drop(pairing) }
        reportPaired(pairings.facts.take(found, aliases: aliases, network: environment.network))
        for pairing in found where pairings[pairing.id].map({ $0.trust != pairing.trust }) == true {
            reportPins(at: told.forgetPins(of: pairing.id))
        }
        reportPins(at: told.store(PairedGateways.pins(of: found)))
        var new: [CredentialID] = []
        for pairing in found {
            let former = pairings[pairing.id]
            guard former != pairing else { continue }
            pairings.take(pairing)
            new += take(pairing, former: former)
        }
        // The sessions share the budget of pings, so the existing ones are informed as well.
        if isWatched, Set(kept.keys) != known { reportWatched() }
        for (credential, delay) in inTurn(new) {
            // A session that has no turn yet shows that at once.
            begin(credential, after: hasTurn(credential) ? delay : .zero)
        }
    }

    /// Reads the store again a little later, since no change may be reported until then.
    private func readStoreLater() {
        guard readings.retry() else { return }
        let time = environment.clock.now + Self.retryInterval
        work.run { [environment] in
            await environment.sleep(until: time)
            await self.readStoreAgain()
        }
    }

    private func readStoreAgain() async {
        readings.beginRetry()
        if !Task.isCancelled { await readStore() }
    }

    /// Passes what is paired to the map.
    func reportPaired(_ events: [BotMapEvent]) {
        for case .unpaired(let key) in events { told.forget(key) }
        if !events.isEmpty { report(events) }
    }

    /// Applies the changes of a pairing.
    ///
    /// - Returns: The credentials whose sessions are to begin.
    private func take(_ pairing: StoredPairing, former: StoredPairing?) -> [CredentialID] {
        let present = Set(pairing.credentials.map(\.id))
        for credential in former?.credentials ?? [] where !present.contains(credential.id) { drop(credential.id) }
        let bots = pairing.botsByCredential
        var new: [CredentialID] = []
        var needsPaths = former.map(pairing.leadsElsewhere(than:)) ?? true
        for credential in pairing.credentials {
            if kept[credential.id] == nil {
                needsPaths = true
                let session = SessionGenerator(seed: generator.next())
                kept[credential.id] = KeptSession(
                    credential,
                    dialect: pairing.dialect,
                    generator: session,
                    now: environment.clock.now
                )
                metrics.noteChange(from: nil, to: .stopped)
                pairings.add(credential.id, of: pairing.id)
                kept[credential.id]?.bots = bots[credential.id] ?? []
                if pairing.isToBeConnected { new.append(credential.id) }
                if let session = kept[credential.id] { report(.changed(session.snapshot(pairing))) }
            } else {
                kept[credential.id]?.record = credential
                kept[credential.id]?.bots = bots[credential.id] ?? []
                if former?.isToBeConnected != pairing.isToBeConnected {
                    if pairing.isToBeConnected { new.append(credential.id) } else { stop(credential.id) }
                }
            }
            if let known = kept[credential.id]?.generation, credential.generation > known {
                kept[credential.id]?.generation = credential.generation
                takeNewSecret(of: credential.id)
            }
        }
        if let former, former.name != pairing.name {
            // A session is shown under the name of its gateway.
            for credential in pairing.credentials {
                if let session = kept[credential.id] { report(.changed(session.snapshot(pairing))) }
            }
        }
        if needsPaths { offerPaths(to: pairing) }
        if let former, former.gatewayID != pairing.gatewayID || former.fingerprint != pairing.fingerprint {
            // It has another row now, where nobody has said yet what its sessions do.
            for credential in pairing.credentials { reportBots(of: credential.id) }
        }
        return new
    }

    /// Handles a new secret: a session that only waited for it has its turn anew.
    func takeNewSecret(of credential: CredentialID) {
        if case .refused(let refusal)? = kept[credential]?.state, refusal.rule == .afterNewCredential {
            begin(credential, after: .zero)
        } else {
            handle(.newCredential, of: credential)
        }
    }

    private func stop(_ credential: CredentialID) { end(credential, .stop) }

    /// Ends a session, and lets other processes have it.
    private func end(_ credential: CredentialID, _ event: SessionEvent) {
        handle(event, of: credential)
        kept[credential]?.claim.release()
    }

    private func drop(_ credential: CredentialID) {
        stop(credential)
        let steps = botKeys(of: credential).flatMap { told.set(nil, of: $0, by: credential) }
        if !steps.isEmpty { report(steps) }
        guard let session = kept.removeValue(forKey: credential) else { return }
        metrics.noteChange(from: session.state, to: nil)
        schedule.remove(credential)
        endTurn(of: credential)
        pairings.remove(credential)
        report(.removed(credential))
    }

    private func drop(_ pairing: StoredPairing) {
        for credential in pairing.credentials { drop(credential.id) }
        reportPins(at: told.forgetPins(of: pairing.id))
        pairings.remove(pairing.id)
    }

    // MARK: Turns

    /// Returns sessions in the order in which they begin, with their delays: one of each gateway first, so that a gateway
    /// with many sessions does not keep the others waiting.
    func inTurn(_ credentials: [CredentialID]) -> [(CredentialID, Duration)] {
        let rounds = SessionTurns.rounds(credentials) { gateway(of: $0) }
        guard let first = rounds.first else { return [] }
        let rest = rounds.dropFirst().flatMap(\.self)
        let delays = WakeUpSpreading.delays(for: first.count, using: &generator)
        let later = WakeUpSpreading.delays(for: rest.count, using: &generator).sorted()
        return Array(zip(first, delays)) + Array(zip(rest, later))
    }

    private func gateway(of credential: CredentialID) -> SessionTurns.Place? {
        pairings.id(of: credential).map { pairing in
            pairings.row(of: pairing).map(SessionTurns.Place.row) ?? .pairing(pairing)
        }
    }

    /// Returns whether a session may begin; otherwise it waits for its turn.
    func hasTurn(_ credential: CredentialID) -> Bool {
        gateway(of: credential).map { turns.ask(credential, at: $0) } ?? false
    }

    /// Ends the turn of a session. The next one of its gateway begins.
    func endTurn(of credential: CredentialID) {
        guard let next = turns.end(credential) else { return }
        work.run { await self.begin(next, after: .zero) }
    }

    // MARK: Locks

    /// The time after which a session that another process has, or a store that could not be used, is tried again.
    static let retryInterval = Duration.seconds(5)

    /// Begins the session of a credential, if no other process has it.
    func begin(_ credential: CredentialID, after delay: Duration) {
        guard delay == .zero else { return beginLater(credential, delay) }
        guard isWanted(credential), kept[credential]?.claim.isBeingTaken == false else { return }
        if let pairing = pairings.pairing(of: credential), pairing.needsTypedToken,
            configuration.typedTokens[pairing.id] == nil
        {
            let command = "clawradar connect \("\(pairing.id)".prefix(8)) \(StoredPairing.typingOptions)"
            return handle(.fail("without TLS its token is not kept: \(command)"), of: credential)
        }
        guard hasTurn(credential) else { return handle(.queue, of: credential) }
        let isBesideOthers = configuration.isBesideOthers && pairings.pairing(of: credential)?.dialect != .clawline
        guard kept[credential]?.claim.lock == nil, !isBesideOthers else {
            return handle(.start, of: credential)
        }
        guard GatewayLoops.hasRoom else {
            handle(.fail("no socket: too many files are open"), of: credential)
            return begin(credential, after: Self.retryInterval)
        }
        kept[credential]?.claim.isBeingTaken = true
        let call = store.start { store throws(StoreError) in try store.lock(credential) }
        work.run { await self.noteLock(credential, call) }
    }

    /// Indicates whether a session of a credential is to begin.
    private func isWanted(_ credential: CredentialID) -> Bool {
        guard let pairing = pairings.pairing(of: credential), pairing.isToBeConnected else { return false }
        return configuration.only?.contains(pairing.id) ?? true
    }

    private func noteLock(_ credential: CredentialID, _ call: StoreCall<SessionLock>) async {
        do throws(StoreError) {
            let lock = try await call.value
            kept[credential]?.claim.isBeingTaken = false
            // Meanwhile it may have been disconnected or unpaired.
            guard work.isOpen, isWanted(credential), hasTurn(credential) else { return lock.release() }
            kept[credential]?.claim.lock = lock
            handle(.start, of: credential)
        } catch {
            kept[credential]?.claim.isBeingTaken = false
            guard isWanted(credential) else { return }
            let isHeld = error.code == .locked
            handle(isHeld ? .held(error.holder) : .fail(error.description), of: credential)
            if isHeld { work.run { await self.noteOther(credential) } }
            begin(credential, after: Self.retryInterval)
        }
    }

    /// Reports to the map what the process says that has the session.
    private func noteOther(_ credential: CredentialID) async {
        let held = try? await store.perform { store throws(StoreError) in store.heldSessions(of: [credential]) }
        // Meanwhile the session may have become that of this process.
        guard case .held? = kept[credential]?.state, let held else { return }
        let state = held[credential]?.botState ?? .paired
        let steps = botKeys(of: credential).flatMap { told.set(state, of: $0, by: credential) }
        if !steps.isEmpty { report(steps) }
    }

    /// Begins the session after a delay, unless that is scheduled already.
    private func beginLater(_ credential: CredentialID, _ delay: Duration) {
        guard kept[credential]?.claim.isPending == false else { return }
        kept[credential]?.claim.isPending = true
        let time = environment.clock.now + delay
        work.run { [environment] in
            await environment.sleep(until: time)
            await self.beginNow(credential)
        }
    }

    private func beginNow(_ credential: CredentialID) {
        kept[credential]?.claim.isPending = false
        if !Task.isCancelled { begin(credential, after: .zero) }
    }
}
