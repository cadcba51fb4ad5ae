package import GatewayProtocol
package import PairingStore

/// The devices that wait for an approval at gateways where this device is an admin.
extension Connections {
    /// Begins to follow which devices wait, if the gateway says that to this device.
    func followDevices(_ id: AttemptID, _ session: GatewaySession, of credential: CredentialID) {
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
            devices.beginAsking()
            devices.isFollowed = devices.nextEnd != nil
            kept[credential]?.devices = devices
            if devices.isFollowed { work.run { await self.forgetEndedDevices(id, of: credential) } }
            let isAdmin = kept[credential]?.running[id]?.sent.isAdmin == true
            work.run {
                await self.environment.sleep(until: self.environment.clock.now + WaitingDevices.settling)
                await self.settleDevices(id, isAdmin: isAdmin, of: credential)
            }
        case .optaplus, .bridge, .openAgents:
            return
        }
    }

    /// Takes in that a Clawline provider has told of all devices that wait.
    private func settleDevices(_ id: AttemptID, isAdmin: Bool, of credential: CredentialID) {
        guard !Task.isCancelled, kept[credential]?.live?.attempt == id,
            kept[credential]?.devices?.settle(isAdmin: isAdmin) == true
        else { return }
        reportDevices(of: credential)
    }

    /// Returns the devices that wait at a Clawline provider, once it has told of all; `nil` if it tells this device of none.
    ///
    /// - Throws: ``SessionEnd`` if there is no session any more; `CancellationError`.
    package func devicesTold(to credential: CredentialID) async throws -> [DeviceRequest]? {
        while kept[credential]?.live != nil, let devices = kept[credential]?.devices {
            if devices.isSettled { return devices.known }
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
                guard case .success(let payload) = response.outcome, let list = try? DeviceRequestList(json: payload)
                else {
                    // It does not let this device know.
                    return forgetDevices(of: credential)
                }
                if kept[credential]?.devices?.take(list) == true { reportDevices(of: credential) }
            } catch is SessionEnd {
                return
            } catch {
                // Later it may answer.
            }
            // Until it has answered once, nobody knows.
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
        guard kept[credential]?.live?.attempt == id,
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
