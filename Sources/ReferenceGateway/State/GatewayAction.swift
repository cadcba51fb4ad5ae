package import GatewayProtocol

/// An action to take after something came; several are taken in their order.
package enum GatewayAction: Hashable, Sendable {
    /// Tell whoever runs the gateway. It holds no secret; what is of the peer is untrusted.
    case note(String)

    /// Keep the state before anything else is done: a token that is told must not be lost.
    case save

    /// End all sessions that live by these tokens.
    case revoke(Set<String>)

    /// The peer has said something sensible: it may stay.
    case welcome

    /// The connection is now a session that lives by this token.
    case admit(token: String)

    /// The connection is now an OpenClaw session: of this device, if it is one, with these scopes.
    case admitOpenClaw(deviceID: String?, scopes: [String])

    /// End all sessions of this OpenClaw device, since its token was withdrawn.
    case remove(deviceID: String)

    /// Send an event to all OpenClaw sessions that have a scope.
    case broadcast(String, JSONValue, scope: String)

    /// Send one message.
    case send([UInt8])

    /// Say goodbye with this code (RFC 6455 §7.4) and this reason, and end the connection.
    case close(UInt16, reason: String = "")

    /// End the connection without a word.
    case drop

    /// Indicates whether the connection ends with it.
    var endsConnection: Bool {
        switch self {
        case .close, .drop: true
        case .note, .save, .revoke, .welcome, .admit, .admitOpenClaw, .remove, .broadcast, .send: false
        }
    }
}
