internal import GatewayProtocol
internal import Logging

/// Holds the one state, keeps it in its file, and knows which sessions live by which token.
actor GatewayKeeper {
    /// Writes the state where it outlives the process.
    typealias Save = @Sendable (GatewayState) throws(ReferenceGatewayError) -> Void

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
    private let save: Save?
    private let logger: Logger
    private var generator = SystemRandomNumberGenerator()
    private var sessions: [Int: Session] = [:]

    /// - Parameters:
    ///   - state: What the gateway knows, and what is kept of it already.
    ///   - configuration: How it is run.
    ///   - save: Saves it; `nil` where nothing is kept.
    ///   - logger: Is told who asks for what; no secret.
    init(_ state: GatewayState, _ configuration: GatewayServerConfiguration, save: Save?, logger: Logger) {
        self.state = state
        self.configuration = configuration
        self.save = save
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
        // Somebody else has ended the session, and what it sent before it heard of that is worth nothing.
        guard !dialogue.isAdmitted || sessions[dialogue.peer.connection] != nil else { return [] }
        let before = state
        let actions = dialogue.receive(message, state: &state, at: time, using: &generator)
        guard keep(actions, or: before) else {
            dialogue.end()
            return [.close(1_011)]
        }
        for action in actions {
            switch action {
            case .admit(let token):
                sessions[dialogue.peer.connection] = Session(token: token, push: push)
            case .admitOpenClaw(let deviceID, let scopes):
                sessions[dialogue.peer.connection] = Session(deviceID: deviceID, scopes: scopes, push: push)
            default: break
            }
        }
        let rest = finish(withdraw(actions, askedOn: dialogue.peer.connection))
        if rest.contains(where: \.endsConnection) { dialogue.end() }
        return rest
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
        for case .send(let bytes) in finish(withdraw(actions)) { answer = bytes }
        return answer
    }

    /// Changes the state from outside of every session.
    func change(_ body: @Sendable (inout GatewayState) -> Void) {
        body(&state)
    }

    /// Ends the sessions that live by what was withdrawn, at once: whoever asked for it may hang up before the answer is
    /// written.
    ///
    /// - Parameter asker: The connection that asked. Its own session, if it is one of them, ends in its turn, after the answer.
    /// - Returns: The actions that are left.
    private func withdraw(_ actions: [GatewayAction], askedOn asker: Int? = nil) -> [GatewayAction] {
        actions.compactMap { action in
            switch action {
            case .revoke(let tokens):
                end(1_008, askedOn: asker) { $0.token.map(tokens.contains) ?? false }
            case .remove(let deviceID):
                end(4_001, "device removed", askedOn: asker) { $0.deviceID == deviceID }
            default: action
            }
        }
    }

    /// - Returns: The goodbye of the asker, where it is meant, too.
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

    /// A connection is no more.
    func forget(_ peer: GatewayPeer) {
        sessions[peer.connection] = nil
        logger.debug("\(peer) is gone")
    }

    /// Saves the state, and throws where the old one is what is kept.
    static func keep(_ state: GatewayState, _ save: Save?, _ logger: Logger) throws(ReferenceGatewayError) {
        do throws(ReferenceGatewayError) {
            try save?(state)
        } catch {
            guard error.code == .notDurable else { throw error }
            // It is what the next start reads. To go back now would make tokens worthless that the file has.
            logger.warning("\(error.message)")
        }
    }

    /// Writes the state, if it is to be kept.
    ///
    /// - Returns: Whether it could be; what could not be kept has not happened.
    private func keep(_ actions: [GatewayAction], or before: GatewayState) -> Bool {
        guard actions.contains(.save) else { return true }
        do throws(ReferenceGatewayError) {
            try Self.keep(state, save, logger)
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
