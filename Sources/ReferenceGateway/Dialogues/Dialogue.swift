package import GatewayProtocol

/// The gateway's side of the dialogue on one connection, in one dialect. A value: it returns actions, and carries none
/// out.
///
/// The dialects of other projects are covered only as far as a prober or a pairing client uses them.
package struct Dialogue: Hashable, Sendable {
    /// The dialect that the gateway speaks.
    package let dialect: GatewayDialect

    /// The peer at the other end.
    package let peer: GatewayPeer

    /// The token that the session depends on, once there is one.
    package private(set) var token: String?

    /// The nonce of the challenge, where there was one.
    private(set) var nonce = ""

    /// The session of an OpenClaw gateway, once there is one.
    var session: OpenClawSession?

    /// Indicates whether the connection is ending or has ended: further messages on it are ignored.
    private var isOver = false

    /// Indicates whether there is, or was, a session.
    var isAdmitted: Bool { token != nil || session != nil }

    package init(dialect: GatewayDialect, peer: GatewayPeer) {
        self.dialect = dialect
        self.peer = peer
    }

    /// Returns the actions to take before the first message.
    ///
    /// - Parameters:
    ///   - time: The present moment.
    ///   - generator: The source of randomness for nonces.
    package mutating func start(
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) -> [GatewayAction] {
        switch dialect {
        case .openClaw:
            nonce = UInt64.hexadecimal(generator.next()) + UInt64.hexadecimal(generator.next())
            let challenge = ConnectChallenge(nonce: nonce, timestamp: time.date)
            return [.send(GatewayFrame.event(challenge.event).encoded)]
        case .optaplus, .bridge, .openAgents, .clawline:
            return []
        }
    }

    /// Records that the connection has become a session, since the operator has approved its device.
    mutating func admit(_ token: String) {
        self.token = token
    }

    /// Records that the connection ends for a reason outside the dialogue.
    mutating func end() {
        isOver = true
    }

    /// Returns the actions to take for a message, in order; none after an action that ends the connection.
    ///
    /// - Parameters:
    ///   - message: The text of a WebSocket message, or a line without its line feed.
    ///   - state: The state of the gateway.
    ///   - time: The present moment.
    ///   - generator: The source of randomness for tokens.
    package mutating func receive(
        _ message: [UInt8],
        state: inout GatewayState,
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) -> [GatewayAction] {
        guard !isOver else { return [] }
        let actions: [GatewayAction]
        do {
            switch dialect {
            case .optaplus: actions = try optaplus(message, &state, at: time, &generator)
            case .openClaw: actions = try openClaw(message, &state, at: time, &generator)
            case .bridge: actions = try bridge(message, &state, at: time, &generator)
            case .openAgents: actions = try openAgents(message, state)
            case .clawline: actions = try clawline(message, &state, at: time, &generator)
            }
        } catch {
            isOver = true
            return [.note("\(peer) is not understood: \(error.message)"), .close(1_008)]
        }
        isOver = actions.contains(where: \.endsConnection)
        for case .admit(let token) in actions { self.token = token }
        return [.welcome] + actions
    }

    private func optaplus(
        _ message: [UInt8],
        _ state: inout GatewayState,
        at time: GatewayTime,
        _ generator: inout some RandomNumberGenerator
    ) throws(GatewayMessageError) -> [GatewayAction] {
        switch try GatewayFrame(parsing: message) {
        case .request(let request): state.handle(request, from: peer, at: time, using: &generator)
        // A client has nothing to answer here, since the gateway sends no requests.
        case .response, .event: [.note("\(peer) sends what is no request"), .close(1_008)]
        }
    }
}
