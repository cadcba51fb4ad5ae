internal import GatewayProtocol
internal import Logging

/// Holds the one state, keeps it in its file, and knows which sessions live by which token.
actor GatewayKeeper {
    /// Writes the state where it outlives the process.
    typealias Save = @Sendable (GatewayState) throws(ReferenceGatewayError) -> Void

    /// A session, and how it is ended.
    private struct Session {
        var token: String
        var end: @Sendable () -> Void
    }

    private(set) var state: GatewayState
    private let save: Save?
    private let misbehaviour: Misbehaviour?
    private let logger: Logger
    private var generator = SystemRandomNumberGenerator()
    private var sessions: [Int: Session] = [:]

    /// - Parameters:
    ///   - state: What the gateway knows. It is saved at once.
    ///   - save: Saves it; `nil` where nothing is kept.
    ///   - misbehaviour: What it does wrong on purpose.
    ///   - logger: Is told who asks for what; no secret.
    /// - Throws: ``ReferenceGatewayError`` when the state cannot be saved.
    init(
        _ state: GatewayState,
        save: Save?,
        misbehaviour: Misbehaviour?,
        logger: Logger
    ) throws(ReferenceGatewayError) {
        try Self.keep(state, save, logger)
        self.state = state
        self.save = save
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
        if actions.contains(.save) {
            do throws(ReferenceGatewayError) {
                try Self.keep(state, save, logger)
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

    /// Saves the state, and throws where the old one is what is kept.
    private static func keep(_ state: GatewayState, _ save: Save?, _ logger: Logger) throws(ReferenceGatewayError) {
        do throws(ReferenceGatewayError) {
            try save?(state)
        } catch {
            guard error.code == .notDurable else { throw error }
            // It is what the next start reads. To go back now would make tokens worthless that the file has.
            logger.warning("\(error.message)")
        }
    }

    private func finish(_ actions: [GatewayAction]) -> [GatewayAction] {
        for case .note(let text) in actions { logger.info("\(text)") }
        return misbehaviour?.spoil(actions) ?? actions
    }
}
