internal import GatewayProtocol
internal import Logging

/// Holds the one state, keeps it in its file, and knows which sessions live by which token.
actor GatewayKeeper {
    /// A session, and how it is ended.
    private struct Session {
        var token: String
        var end: @Sendable () -> Void
    }

    private(set) var state: GatewayState
    private let file: StateFile?
    private let misbehaviour: Misbehaviour?
    private let logger: Logger
    private var generator = SystemRandomNumberGenerator()
    private var sessions: [Int: Session] = [:]

    init(_ state: GatewayState, file: StateFile?, misbehaviour: Misbehaviour?, logger: Logger) {
        self.state = state
        self.file = file
        self.misbehaviour = misbehaviour
        self.logger = logger
        guard misbehaviour == .wrongFingerprint else { return }
        self.state.claimedFingerprint = GatewayFingerprint(bytes: "not-\(state.fingerprint)".utf8.prefix(128))
    }

    /// Returns the actions to take before anything came.
    func start(_ dialogue: Dialogue, milliseconds: Int) -> [GatewayAction] {
        finish(dialogue.start(milliseconds: milliseconds, using: &generator))
    }

    /// Returns the actions to take about a message; what concerns the gateway as a whole is done already.
    ///
    /// - Parameter end: Ends this connection, should its token be revoked some day.
    func receive(
        _ message: [UInt8],
        in dialogue: inout Dialogue,
        end: @escaping @Sendable () -> Void
    ) -> [GatewayAction] {
        let before = state
        let actions = dialogue.receive(message, state: &state, using: &generator)
        if actions.contains(.save), let file {
            do {
                try file.write(state)
            } catch {
                // What could not be kept has not happened.
                state = before
                logger.error("\(error.message)")
                return [.close(1_011)]
            }
        }
        for case .admit(let token) in actions {
            sessions[dialogue.peer.connection] = Session(token: token, end: end)
        }
        return finish(actions)
    }

    /// Changes the state from outside of every session.
    func change(_ body: @Sendable (inout GatewayState) -> Void) {
        body(&state)
    }

    /// Ends sessions whose tokens are worth nothing any more.
    func revoke(_ tokens: Set<String>) {
        for (connection, session) in sessions where tokens.contains(session.token) {
            sessions[connection] = nil
            session.end()
        }
    }

    /// A connection is no more.
    func forget(_ peer: GatewayPeer) {
        sessions[peer.connection] = nil
        logger.debug("\(peer) is gone")
    }

    private func finish(_ actions: [GatewayAction]) -> [GatewayAction] {
        for case .note(let text) in actions { logger.info("\(text)") }
        return misbehaviour?.spoil(actions) ?? actions
    }
}
