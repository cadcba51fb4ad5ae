internal import GatewayProtocol
internal import Pairing

/// Clawline providers, which tell of the devices that wait in the only session that a device has.
extension ApprovalDesk {
    /// Returns the devices of which a provider tells this one.
    func told(to admin: AdminPairing, _ connections: Connections) async throws(CallProblem) -> DeviceRequestList {
        let requests: [DeviceRequest]?
        if let session = agent?[admin] {
            if let trouble = session.trouble { throw trouble }
            if session.requests == nil, Self.isAdmin(admin, store) {
                // The session has just begun.
                return DeviceRequestList(requests: try await settled(admin))
            }
            requests = session.requests
        } else {
            requests = try await unlessHindered(admin, connections) { await heard(from: admin, connections) }
        }
        guard let requests else { throw .toldOfNone }
        return DeviceRequestList(requests: requests)
    }

    /// Asks the agent again until the provider has told it who waits, for a short time.
    private func settled(_ admin: AdminPairing) async throws(CallProblem) -> [DeviceRequest] {
        let end = ContinuousClock.now + min(Self.settling, left)
        while ContinuousClock.now < end, (try? await Task.sleep(for: .milliseconds(250))) != nil {
            guard let session = AgentSessions.ask(within: end - .now)?[admin] else { break }
            if let trouble = session.trouble { throw trouble }
            if let requests = session.requests { return requests }
        }
        throw CallProblem("the agent has just connected to it, and does not know yet who waits: ask again")
    }

    /// The time for which an agent is asked again.
    private static let settling = Duration.seconds(2.5)

    /// Opens a session, and waits for what comes with it.
    private func heard(
        from admin: AdminPairing,
        _ connections: Connections
    ) async -> Result<[DeviceRequest]?, CallProblem> {
        do {
            try await connections.withSession(of: admin.credential.id, within: left) { _ in }
            return .success(try await connections.devicesTold(to: admin.credential.id, within: left))
        } catch let end as SessionEnd {
            return .failure(CallProblem(end.message))
        } catch {
            return .failure(CallProblem("it was not asked to the end"))
        }
    }
}
