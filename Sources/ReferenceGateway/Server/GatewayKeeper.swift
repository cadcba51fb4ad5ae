internal import GatewayProtocol
internal import Logging

/// Holds the one state, keeps it in its file, and knows which sessions live by which token.
actor GatewayKeeper {
    /// A session, and how something is said on it.
    private struct Session {
        /// The token that it lives by, but for OpenClaw's.
        var token: String?

        /// The OpenClaw device that it belongs to.
        var deviceID: String?

        /// The scopes of an OpenClaw session.
        var scopes: [String] = []

        var push: @Sendable (SessionOutput) -> Void
    }

    private(set) var state: GatewayState
    private let configuration: GatewayServerConfiguration
    private let logger: Logger
    private var generator = SystemRandomNumberGenerator()
    private var sessions: [Int: Session] = [:]

    init(_ state: GatewayState, _ configuration: GatewayServerConfiguration, logger: Logger) {
        self.state = state
        self.configuration = configuration
        self.logger = logger
        guard configuration.misbehaviour == .wrongFingerprint else { return }
        self.state.claimedFingerprint = GatewayFingerprint(bytes: "not-\(state.fingerprint)".utf8.prefix(128))
    }

    /// Returns the actions to take before anything came.
    func start(_ dialogue: inout Dialogue) -> [GatewayAction] {
        finish(dialogue.start(at: .now, using: &generator))
    }

    /// Returns the actions to take about a message; what concerns the gateway as a whole is done already.
    ///
    /// - Parameter push: Says something on this connection later: that its token was revoked, or an event.
    func receive(
        _ message: [UInt8],
        in dialogue: inout Dialogue,
        push: @escaping @Sendable (SessionOutput) -> Void
    ) -> [GatewayAction] {
        let time = GatewayTime.now
        do {
            try configuration.secretLog?.note(message, from: dialogue.peer, at: time)
        } catch {
            logger.error("\(error.message)")
        }
        let before = state
        let actions = dialogue.receive(message, state: &state, at: time, using: &generator)
        guard keep(actions, or: before) else { return [.close(1_011)] }
        for action in actions {
            switch action {
            case .admit(let token):
                sessions[dialogue.peer.connection] = Session(token: token, push: push)
            case .admitOpenClaw(let deviceID, let scopes):
                sessions[dialogue.peer.connection] = Session(deviceID: deviceID, scopes: scopes, push: push)
            default: break
            }
        }
        return finish(actions)
    }

    /// Does what the operator of this host wishes.
    ///
    /// - Returns: The answer.
    func operate(_ request: GatewayRequest) -> [UInt8] {
        let before = state
        let actions = state.operate(
            request,
            dialect: configuration.dialect,
            url: configuration.url,
            at: .now,
            using: &generator
        )
        guard keep(actions, or: before) else {
            let failure = GatewayFailure(code: "UNAVAILABLE", message: "the state cannot be written")
            return GatewayFrame.response(GatewayResponse(id: request.id, outcome: .failure(failure))).encoded
        }
        var answer: [UInt8] = []
        for action in finish(actions) {
            switch action {
            case .send(let bytes): answer = bytes
            case .revoke(let tokens): revoke(tokens)
            case .remove(let deviceID): remove(deviceID: deviceID)
            default: break
            }
        }
        return answer
    }

    /// Changes the state from outside of every session.
    func change(_ body: @Sendable (inout GatewayState) -> Void) {
        body(&state)
    }

    /// Ends sessions whose tokens are worth nothing any more.
    func revoke(_ tokens: Set<String>) {
        end(.close(1_008)) { $0.token.map(tokens.contains) ?? false }
    }

    /// Ends the sessions of an OpenClaw device.
    func remove(deviceID: String) {
        end(.close(4_001, reason: "device removed")) { $0.deviceID == deviceID }
    }

    private func end(_ goodbye: SessionOutput, where isMeant: (Session) -> Bool) {
        for (connection, session) in sessions where isMeant(session) {
            sessions[connection] = nil
            session.push(goodbye)
        }
    }

    /// A connection is no more.
    func forget(_ peer: GatewayPeer) {
        sessions[peer.connection] = nil
        logger.debug("\(peer) is gone")
    }

    /// Writes the state, if it is to be kept.
    ///
    /// - Returns: Whether it could be; what could not be kept has not happened.
    private func keep(_ actions: [GatewayAction], or before: GatewayState) -> Bool {
        guard actions.contains(.save), let file = configuration.file else { return true }
        do {
            try file.write(state)
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
        return configuration.misbehaviour?.spoil(actions) ?? actions
    }
}
