/// An event on a WebSocket connection.
public enum WebSocketEvent: Hashable, Sendable {
    /// A message, put together from its fragments, text or binary.
    case message([UInt8])

    /// The answer to a ping of ours, with what that ping carried, at most 125 bytes.
    case pong([UInt8])

    /// The peer ended the connection.
    case closed(WebSocketClose)

    /// The connection failed.
    case failed(GatewayConnectionError)
}
