package import GatewayProtocol

/// An action to take in reply to an event; several are taken in order.
package enum GatewayAction: Hashable, Sendable {
    /// Log a note for the operator of the gateway. It holds no secret; the parts that come from the peer are untrusted.
    case note(String)

    /// Save the state before any other action: a token that has been sent must not be lost.
    case save

    /// End all sessions that depend on these tokens.
    case revoke(Set<String>)

    /// Let the connection stay open, since the peer has sent a valid message.
    case welcome

    /// Keep the connection until this device is decided about.
    case hold(deviceID: String)

    /// Send the decision about a device on the connections that wait for it, and close them.
    case resolve(deviceID: String, [UInt8])

    /// Make a connection on which a device waits a session that depends on this token, and send these messages on it.
    case grant(connection: Int, token: String, [[UInt8]])

    /// Send a message on the other sessions that depend on this token.
    case tell(token: String, [UInt8])

    /// Send a message on the sessions of the admins of a Clawline provider.
    case tellAdmins([UInt8])

    /// End the other sessions that depend on this token, since there is a newer one, or none for now.
    case displace(token: String)

    /// Make the connection a session that depends on this token.
    case admit(token: String)

    /// Make the connection an OpenClaw session: of this device, if there is one, with these scopes.
    case admitOpenClaw(deviceID: String?, scopes: [String])

    /// End all sessions of this OpenClaw device, since its token was withdrawn.
    case remove(deviceID: String)

    /// Send an event to all OpenClaw sessions that have a scope.
    case broadcast(String, JSONValue, scope: String)

    /// Send one message.
    case send([UInt8])

    /// Close the connection with this code (RFC 6455 §7.4) and this reason.
    case close(UInt16, reason: String = "")

    /// End the connection without sending anything.
    case drop

    /// Indicates whether the action ends the connection.
    var endsConnection: Bool {
        switch self {
        case .close, .drop: true
        case .note, .save, .revoke, .welcome, .admit, .admitOpenClaw, .remove, .broadcast, .send, .hold, .resolve,
            .grant, .tell, .tellAdmins, .displace:
            false
        }
    }
}
