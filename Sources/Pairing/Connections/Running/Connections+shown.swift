internal import GatewayProtocol
package import Scanning

/// The sessions as they are shown, in the constellation.
extension Connections {
    /// Passes a change of a session to the constellation.
    func show(_ event: ConnectionEvent) {
        switch event {
        case .changed(let session):
            guard case .failed = session.detail else { return report(.session(session.shown(isSealed: false))) }
            work.run { await self.showFailed(session) }
        case .removed(let credential): report(.lostSession(credential))
        case .snapshot: break
        }
    }

    /// Passes on that this device itself cannot have a session. The key of the store is looked for only then.
    private func showFailed(_ session: SessionSnapshot) async {
        let isSealed = (try? await store.perform { $0.keyProblem != nil }) ?? false
        // Meanwhile it may have another state, or may be gone.
        guard kept[session.id]?.since == session.since else { return }
        report(.session(session.shown(isSealed: isSealed)))
    }
}

extension SessionSnapshot {
    /// Returns the session as it is shown.
    ///
    /// - Parameter isSealed: Indicates whether the secrets of the store cannot be opened.
    package func shown(isSealed: Bool) -> ShownSession {
        var session = ShownSession(
            id: "\(id)",
            pairing: "\(stored.id)",
            gateway: stored.gatewayID,
            name: stored.name,
            bots: bots.map { ShownSession.Bot(id: $0.id, name: $0.name, emoji: $0.emoji, isArchived: $0.isArchived) },
            state: word(isSealed: isSealed),
            reason: reason,
            remedy: remedy,
            path: path,
            isElsewhere: way?.isElsewhere ?? false,
            latency: latency,
            since: since
        )
        session.requests = requests
        switch detail {
        case .deferred(let refusal, _):
            session.waitsForPerson = refusal.waitsForPerson
            session.refusal = refusal.reason
        case .refused(let refusal): session.refusal = refusal.reason
        default: break
        }
        return session
    }

    private func word(isSealed: Bool) -> ShownSession.State {
        switch detail {
        case .stopped: .disconnected
        case .idle, .waiting: .gone
        case .held: .heldElsewhere
        case .connecting, .authenticating: .connecting
        case .connected: .connected
        case .moved: .moved
        case .changedLeaf: .changedLeaf
        case .uncertified: .uncertified
        case .deferred(let refusal, _) where refusal.stands: .refused
        case .deferred, .queued: .waiting
        case .refused: .refused
        case .revoked: .revoked
        case .failed: isSealed ? .sealed : .disconnected
        }
    }

    private var remedy: ShownSession.Remedy? {
        switch detail {
        case .stopped: stored.connectsAutomatically || stored.awaitsTrust ? nil : .connect
        case .changedLeaf: .acceptLeaf
        case .moved(.hasTLS): .pairAnew
        // Nobody can say now which machine it is.
        case .moved(.unknownNode): nil
        case .moved:
            switch stored.trust {
            // No consent makes another gateway, or one without TLS, the one of the pairing.
            case .pinned, .certified: .diagnose
            case .sameAddress, .lan: .acceptAddress
            case .tailnet: .acceptNode
            case .tunnel: .acceptTunnel
            }
        case .held, .queued, .idle, .waiting, .connecting, .authenticating, .connected, .uncertified, .deferred,
            .refused, .revoked, .failed:
            nil
        }
    }
}
