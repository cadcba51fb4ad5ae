internal import DNSSD
internal import GatewayProtocol
internal import Logging

/// Owns the state of the gateway, saves it to its file, and knows which session depends on which token.
actor GatewayStateStore {
    /// A function that writes the state to where it outlives the process.
    typealias Save = @Sendable (GatewayState) throws(ReferenceGatewayError) -> Void

    /// A session, with the means to send something on it.
    private struct Session {
        /// The token that it depends on; `nil` for OpenClaw sessions.
        var token: String?

        /// The device about which a decision is awaited on a connection that is no session yet.
        var awaited: String?

        /// The OpenClaw device that it belongs to.
        var deviceID: String?

        /// The scopes of an OpenClaw session.
        var scopes: [String] = []

        var push: @Sendable (SessionOutput) -> Void
    }

    private(set) var state: GatewayState
    private let configuration: GatewayServerConfiguration
    private let save: Save?
    private let logger: Logger
    private let clock: any MonotonicClock
    private var generator = SystemRandomNumberGenerator()
    private var sessions: [Int: Session] = [:]

    /// - Parameters:
    ///   - state: The state of the gateway, which has been saved already.
    ///   - configuration: The configuration of the gateway.
    ///   - save: Saves the state; `nil` if nothing is stored.
    ///   - logger: Logs who asks for what, without secrets.
    ///   - clock: The clock by which codes, requests and lock-outs end.
    init(
        _ state: GatewayState,
        _ configuration: GatewayServerConfiguration,
        save: Save?,
        logger: Logger,
        clock: any MonotonicClock = ContinuousClock()
    ) {
        self.state = state
        self.configuration = configuration
        self.save = save
        self.logger = logger
        self.clock = clock
        self.state.openClaw.url = configuration.url
        self.state.link = configuration.link
        self.state.openClaw.leaf = configuration.certificate?.fingerprint
        guard configuration.misbehaviour == .wrongFingerprint else { return }
        self.state.falseFingerprint = GatewayFingerprint(bytes: "not-\(state.fingerprint)".utf8.prefix(128))
    }

    /// Returns the actions to take before the first message.
    func start(_ dialogue: inout Dialogue) -> [GatewayAction] {
        finish(dialogue.start(at: .now(by: clock), using: &generator))
    }

    /// Returns the actions to take for a message; those that concern the gateway as a whole have been carried out
    /// already.
    ///
    /// - Parameter push: Sends something on this connection later: an event, or a close because its token was revoked.
    func receive(
        _ message: [UInt8],
        in dialogue: inout Dialogue,
        push: @escaping @Sendable (SessionOutput) -> Void
    ) -> [GatewayAction] {
        let time = GatewayTime.now(by: clock)
        do {
            try configuration.secretLog?.note(message, from: dialogue.peer, at: time)
        } catch {
            logger.error("\(error.message)")
        }
        // The session may have been ended from elsewhere: messages that it sent before it noticed are ignored.
        guard !dialogue.isAdmitted || sessions[dialogue.peer.connection] != nil else { return [] }
        if let token = sessions[dialogue.peer.connection]?.token { dialogue.admit(token) }
        let before = state
        let actions = dialogue.receive(message, state: &state, at: time, using: &generator)
        guard save(actions, restoring: before) else {
            dialogue.end()
            return [.close(1_011)]
        }
        for action in actions {
            switch action {
            case .admit(let token):
                sessions[dialogue.peer.connection] = Session(token: token, push: push)
            case .hold(let deviceID):
                sessions[dialogue.peer.connection] = Session(awaited: deviceID, push: push)
            case .admitOpenClaw(let deviceID, let scopes):
                sessions[dialogue.peer.connection] = Session(deviceID: deviceID, scopes: scopes, push: push)
            default: break
            }
        }
        let rest = finish(withdraw(actions, askedOn: dialogue.peer.connection))
        if rest.contains(where: \.endsConnection) { dialogue.end() }
        return rest
    }

    /// Carries out a command of the operator of this host.
    ///
    /// - Returns: The answer.
    func operate(_ request: GatewayRequest) -> [UInt8] {
        if request.method == "readiness" { return play(request) }
        let before = state
        let actions = state.operate(
            request,
            dialect: configuration.dialect,
            url: configuration.url,
            at: .now(by: clock),
            using: &generator
        )
        guard save(actions, restoring: before) else {
            let failure = GatewayFailure(code: "UNAVAILABLE", message: "the state cannot be written")
            return GatewayFrame.response(GatewayResponse(id: request.id, outcome: .failure(failure))).encoded
        }
        var answer: [UInt8] = []
        for case .send(let bytes) in finish(withdraw(actions)) { answer = bytes }
        return answer
    }

    /// Has the gateway say of its readiness what the request names.
    private func play(_ request: GatewayRequest) -> [UInt8] {
        let play = configuration.dialect == .openClaw ? ReadinessPages.Play(request.params?["id"]?.string ?? "") : nil
        guard let play else {
            let message =
                configuration.dialect == .openClaw
                ? "expected one of \(ReadinessPages.Play.words)"
                : "gateways of this dialect do not tell their readiness"
            let failure = GatewayFailure(code: "INVALID_REQUEST", message: message)
            return GatewayFrame.response(GatewayResponse(id: request.id, outcome: .failure(failure))).encoded
        }
        configuration.readiness.play = play
        let payload = JSONValue.object(["readiness": .string("\(play)")])
        return GatewayFrame.response(GatewayResponse(id: request.id, outcome: .success(payload))).encoded
    }

    /// Returns the page with the link for the next device; `nil` if there is no link.
    func invitationPage() -> PageHandler.Page? {
        state.invitation(at: .now(by: clock), using: &generator)
            .map { InvitationPage.page($0, of: state.name, draw: configuration.draw) }
    }

    /// Changes the state from outside any session.
    func change(_ body: @Sendable (inout GatewayState) -> Void) {
        body(&state)
    }

    /// Ends the sessions whose token was revoked or whose device was removed. It does so at once, since the peer that
    /// asked for it may hang up before the answer is written.
    ///
    /// - Parameter asker: The connection that asked. If its own session is one of them, it ends in its turn, after the
    ///   answer.
    /// - Returns: The remaining actions.
    private func withdraw(_ actions: [GatewayAction], askedOn asker: Int? = nil) -> [GatewayAction] {
        actions.compactMap { action in
            switch action {
            case .resolve(let deviceID, let message):
                push(message, to: { $0.awaited == deviceID }, except: nil)
                return end(1_000, askedOn: nil) { $0.awaited == deviceID }
            case .grant(let connection, let token, let messages):
                guard let session = sessions[connection], session.awaited != nil else { return nil }
                sessions[connection] = Session(token: token, push: session.push)
                for message in messages { session.push(.message(message)) }
                return nil
            case .tell(let token, let message):
                push(message, to: { $0.token == token }, except: asker)
                return nil
            case .tellAdmins(let message):
                push(message, to: { $0.token.map(ClawlineState.isAdmin) ?? false }, except: asker)
                return nil
            case .displace(let token):
                for (connection, session) in sessions where session.token == token && connection != asker {
                    sessions[connection] = nil
                    session.push(.close(1_000))
                }
                return nil
            case .revoke(let tokens):
                return end(1_008, askedOn: asker) { $0.token.map(tokens.contains) ?? false }
            case .remove(let deviceID):
                return end(4_001, "device removed", askedOn: asker) { $0.deviceID == deviceID }
            default: return action
            }
        }
    }

    private func push(_ message: [UInt8], to isMeant: (Session) -> Bool, except asker: Int?) {
        for (connection, session) in sessions where connection != asker && isMeant(session) {
            session.push(.message(message))
        }
    }

    /// - Returns: The action that closes the asker's own connection, if its session is one of those that end.
    private func end(
        _ code: UInt16,
        _ reason: String = "",
        askedOn asker: Int?,
        where isMeant: (Session) -> Bool
    ) -> GatewayAction? {
        var own: GatewayAction?
        for (connection, session) in sessions where isMeant(session) {
            sessions[connection] = nil
            if connection == asker {
                own = .close(code, reason: reason)
            } else {
                session.push(.close(code, reason: reason))
            }
        }
        return own
    }

    /// Indicates whether a connection still waits for the operator's decision.
    func isDecisionAwaited(on peer: GatewayPeer) -> Bool { sessions[peer.connection]?.awaited != nil }

    /// Forgets a connection that has ended.
    func forget(_ peer: GatewayPeer) {
        sessions[peer.connection] = nil
        state.clawline.queue.forget(connection: peer.connection)
        state.bridge.queue.forget(connection: peer.connection)
        logger.debug("\(peer) is gone")
    }

    /// Saves the state, and throws if the file still has the old one.
    static func save(_ state: GatewayState, _ save: Save?, _ logger: Logger) throws(ReferenceGatewayError) {
        do throws(ReferenceGatewayError) {
            try save?(state)
        } catch {
            guard error.code == .notDurable else { throw error }
            // The file has the new state, and the next start reads it. Returning to the old one would invalidate tokens
            // that are in the file.
            logger.warning("\(error.message)")
        }
    }

    /// Writes the state, if one of the actions asks for that.
    ///
    /// - Returns: Whether the state was saved, or need not be. If it could not be saved, the change is undone.
    private func save(_ actions: [GatewayAction], restoring before: GatewayState) -> Bool {
        guard actions.contains(.save) else { return true }
        do throws(ReferenceGatewayError) {
            try Self.save(state, save, logger)
            return true
        } catch {
            state = before
            logger.error("\(error.message)")
            return false
        }
    }

    private func finish(_ actions: [GatewayAction]) -> [GatewayAction] {
        for action in actions {
            switch action {
            case .note(let text): logger.info("\(text)")
            case .broadcast(let name, let payload, let scope):
                let event = GatewayFrame.event(GatewayEvent(name: name, payload: payload)).encoded
                for session in sessions.values where OperatorScopes.allow(scope, granted: session.scopes) {
                    session.push(.message(event))
                }
            default: break
            }
        }
        return configuration.misbehaviour?.apply(to: actions) ?? actions
    }
}
