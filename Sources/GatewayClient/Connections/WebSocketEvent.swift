/// An event on a WebSocket connection.
public enum WebSocketEvent: Hashable, Sendable {
    /// A message, put together from its fragments, text or binary.
    case message([UInt8])

    /// The answer to a ping.
    case pong

    /// The peer ended the connection, with its close code (RFC 6455 §7.4) or without one.
    case closed(code: UInt16?)

    /// The connection failed.
    case failed(GatewayConnectionError)
}
