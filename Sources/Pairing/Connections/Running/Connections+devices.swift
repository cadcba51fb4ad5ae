package import GatewayProtocol

/// The devices that wait for an approval at gateways where this device is an admin.
extension Connections {
    /// Begins to follow which devices wait, if the gateway says that to this device.
    ///
    /// - Parameter replayCount: The number of messages that a Clawline provider sends before it does.
    func followDevices(
        _ id: AttemptID,
        _ session: GatewaySession,
        of credential: CredentialID,
        replayCount: Int
    ) {
        guard kept[credential]?.live?.attempt == id else { return }
        switch session.dialect {
        case .openClaw:
            guard OperatorScopes.allow(OperatorScopes.pairing, granted: kept[credential]?.record.scopes ?? []) else {
                return
            }
            // What the session before has seen stays until there is a new list.
            var devices = kept[credential]?.devices ?? WaitingDevices()
            devices.isFollowed = true
            kept[credential]?.devices = devices
            work.run { await self.askForDevices(id, session, of: credential) }
        case .clawline:
            var devices = kept[credential]?.devices ?? WaitingDevices(dialect: .clawline)
            devices.beginAsking(after: replayCount)
            devices.isFollowed = devices.nextEnd != nil
            kept[credential]?.devices = devices
            if devices.isFollowed { work.run { await self.forgetEndedDevices(id, of: credential) } }
            let running = kept[credential]?.running[id]
            let isAdmin = running?.clawline?.isAdmin ?? (running?.sent.isAdmin == true)
            work.run { await self.settleDevices(id, isAdmin: isAdmin, of: credential) }
        case .optaplus, .bridge, .openAgents:
            return
        }
    }

    /// Waits until a Clawline provider has told of all devices that wait, and takes that in.
    private func settleDevices(_ id: AttemptID, isAdmin: Bool, of credential: CredentialID) async {
        let limit = environment.clock.now + WaitingDevices.replaying
        while !Task.isCancelled, kept[credential]?.live?.attempt == id, environment.clock.now < limit,
            kept[credential]?.devices?.isReplayed == false
        {
            await environment.sleep(until: environment.clock.now + WaitingDevices.pause)
        }
        await environment.sleep(until: environment.clock.now + WaitingDevices.settling)
        guard !Task.isCancelled, kept[credential]?.live?.attempt == id,
            kept[credential]?.devices?.settle(isAdmin: isAdmin) == true
        else { return }
        reportDevices(of: credential)
    }

    /// Returns the devices that wait at a Clawline provider, once it has told of all; `nil` if it tells this device of none.
    ///
    /// - Parameter limit: The time that it has for that.
    /// - Throws: ``SessionEnd`` if there is no session any more, or it has not told of all in time; `CancellationError`.
    package func devicesTold(
        to credential: CredentialID,
        within limit: Duration
    ) async throws -> [DeviceRequest]? {
        let end = environment.clock.now + limit
        while kept[credential]?.live != nil, let devices = kept[credential]?.devices {
            if devices.isSettled { return devices.known }
            guard environment.clock.now < end else {
                throw SessionEnd(.lost, "it still sends earlier messages, after which it tells who waits")
            }
            await environment.sleep(until: environment.clock.now + WaitingDevices.pause)
            try Task.checkCancellation()
        }
        throw SessionEnd(.lost, "the connection has ended")
    }

    /// Forgets the devices whose time at a Clawline provider is over, as long as one waits.
    private func forgetEndedDevices(_ id: AttemptID, of credential: CredentialID) async {
        while !Task.isCancelled, kept[credential]?.live?.attempt == id, let end = kept[credential]?.devices?.nextEnd {
            await environment.sleep(until: end)
            if kept[credential]?.devices?.forgetEnded(at: environment.clock.now) == true {
                reportDevices(of: credential)
            }
        }
        if kept[credential]?.live?.attempt == id { kept[credential]?.devices?.isFollowed = false }
    }

    /// Asks for the list, and again while a device waits.
    private func askForDevices(_ id: AttemptID, _ session: GatewaySession, of credential: CredentialID) async {
        while !Task.isCancelled, kept[credential]?.live?.attempt == id, kept[credential]?.devices != nil {
            kept[credential]?.devices?.beginAsking()
            do {
                let response = try await session.request("device.pair.list", params: .object([:]))
                guard kept[credential]?.live?.attempt == id, kept[credential]?.devices != nil else { return }
                guard case .success(let payload) = response.outcome, var list = try? DeviceRequestList(json: payload)
                else {
                    // The gateway does not list devices to this one.
                    return forgetDevices(of: credential)
                }
                // Not every gateway lists nodes, or to everybody; the devices are known by now.
                let nodes = try? await session.request("node.pair.list", params: .object([:]))
                if case .success(let payload)? = nodes?.outcome {
                    list = list.adding(try? DeviceRequestList(json: payload))
                }
                guard kept[credential]?.live?.attempt == id else { return }
                if kept[credential]?.devices?.take(list) == true { reportDevices(of: credential) }
            } catch is SessionEnd {
                return
            } catch {
                // The gateway may answer the next time.
            }
            // Until the gateway has answered once, it is not known whether any device waits.
            if kept[credential]?.devices?.known?.isEmpty == true { break }
            await environment.sleep(until: environment.clock.now + WaitingDevices.interval)
        }
        if kept[credential]?.live?.attempt == id { kept[credential]?.devices?.isFollowed = false }
    }

    private func forgetDevices(of credential: CredentialID) {
        let wasKnown = kept[credential]?.devices?.known != nil
        kept[credential]?.devices = nil
        if wasKnown { reportDevices(of: credential) }
    }

    /// Takes in an event of a gateway, which may be about a device that waits.
    func noteDevices(_ id: AttemptID, _ event: GatewayEvent, of credential: CredentialID) {
        let (now, time) = (environment.clock.now, environment.wallTime())
        guard kept[credential]?.live?.attempt == id else { return }
        if kept[credential]?.devices?.dialect == .clawline { noteRefusal(event, of: credential) }
        guard
            kept[credential]?.devices?.take(event, at: now, time: time) == true
        else { return }
        if kept[credential]?.devices?.isReportDue == false {
            // A gateway must not decide how often all readers are woken.
            kept[credential]?.devices?.isReportDue = true
            work.run {
                await self.environment.sleep(until: self.environment.clock.now + WaitingDevices.pause)
                await self.reportDevices(of: credential)
            }
        }
        guard kept[credential]?.devices?.isFollowed == false,
            let session = kept[credential]?.running[id]?.session
        else { return }
        kept[credential]?.devices?.isFollowed = true
        guard session.dialect == .openClaw else {
            return work.run { await self.forgetEndedDevices(id, of: credential) }
        }
        work.run {
            await self.environment.sleep(until: self.environment.clock.now + WaitingDevices.interval)
            await self.askForDevices(id, session, of: credential)
        }
    }

    func reportDevices(of credential: CredentialID) {
        kept[credential]?.devices?.isReportDue = false
        guard let session = kept[credential], let pairing = pairings.pairing(of: credential) else { return }
        report(.changed(session.snapshot(pairing)))
    }
}
